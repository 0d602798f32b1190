import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { product } from '../src/composition.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { migrationsDirectory } from '../src/platform/database/migration-files.ts'
import { createTestDatabase } from './harness/database.ts'

const name = readdirSync(migrationsDirectory).find((file) => file.endsWith('_cart_evidence.sql')) ?? ''

test('of the keys that exist, those with every scope may read pictures from now on, and no other', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'before-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  for (const file of readdirSync(migrationsDirectory))
    if (file < name) copyFileSync(join(migrationsDirectory, file), join(directory, file))
  const database = await createTestDatabase({ empty: true })
  await migrate({ url: database.url, directory })
  const client = new Client({ connectionString: database.url })
  await client.connect()
  onTestFinished(async () => {
    await client.end()
    await database.drop()
  })
  await client.query(`insert into accounts (id, name, created_at) values ('acct_1', 'A', now())`)
  await client.query('set session_replication_role = replica')
  for (const preset of Object.keys(product.scopes.presets)) {
    const scopes = preset === 'full' ? ['profiles:write'] : ['purchase_intents:read']
    await client.query(
      `insert into api_keys (account_id, mode, id, kind, name, prefix, hash, preset, scopes, origins, agent_id, seq, created_at, updated_at)
       values ('acct_1', 'test', $1, 'secret', '', 'pr', $3, $2, $4, '{}', 'agent_1', 1, now(), now())`,
      [`key_${preset}`, preset, Buffer.from(preset), scopes],
    )
  }
  await client.query(
    `insert into api_keys (account_id, mode, id, kind, name, prefix, hash, preset, scopes, origins, agent_id, seq, created_at, updated_at)
     values ('acct_1', 'test', 'key_public', 'publishable', '', 'pr', '\\x01', 'full', '{}', '{}', 'agent_1', 1, now(), now())`,
  )
  copyFileSync(join(migrationsDirectory, name), join(directory, name))
  await migrate({ url: database.url, directory })
  const { rows } = await client.query<{ id: string; scopes: string[] }>(
    `select id, scopes from api_keys where 'evidence:read' = any(scopes)`,
  )
  expect(rows).toEqual([{ id: 'key_full', scopes: ['profiles:write', 'evidence:read'] }])
})
