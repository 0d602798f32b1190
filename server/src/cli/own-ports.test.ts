import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../platform/config/config.ts'
import { ownPortsOf } from './own-ports.ts'

test('every port of the product is its own: databases, API, vault, metrics, sandbox, and the shops that are reached by name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'own-ports-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const names = join(folder, 'names.json')
  writeFileSync(names, JSON.stringify({ addresses: { 'shop.test': '127.0.0.1:7011' }, certificate: '' }))
  const config = readConfig({
    DATABASE_URL: 'postgres://prokura@127.0.0.1:7001/prokura',
    DATABASE_DIRECT_URL: 'postgres://prokura@127.0.0.1:7002/prokura',
    PORT: '7003',
    PROKURA_PUBLIC_URL: 'http://127.0.0.1:7004',
    PROKURA_RAIL_URL: 'http://127.0.0.1:7005',
    PROKURA_SANDBOX_URL: 'http://127.0.0.1:7006',
    PROKURA_SANDBOX_MERCHANT_URL: 'http://127.0.0.1:7007',
    PROKURA_SANDBOX_CATALOG_URL: 'http://127.0.0.1:7008',
    PROKURA_SANDBOX_STRIPE_URL: 'http://127.0.0.1:7009',
    PROKURA_METRICS_PORT: '7010',
    PROKURA_SANDBOX_NAMES_FILE: names,
    PROKURA_OWN_PORTS: '7012,7013',
    PROKURA_VAULT_PORT: '7015',
    PROKURA_VAULT_URL: 'https://vault.example:7016',
    PROKURA_ELEMENTS_URL: 'https://elements.example:7017',
  })
  expect(ownPortsOf(config, 'http://127.0.0.1:7014').sort()).toEqual(
    Array.from({ length: 17 }, (_, index) => 7001 + index),
  )
})
