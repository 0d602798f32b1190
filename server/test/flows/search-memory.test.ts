import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { followers } from '../../src/composition.ts'
import { catalogSearchWorld } from '../../src/domain/discovery/sources/catalog-world.testing.ts'
import {
  type ForeignCatalogs,
  foreignCatalogs,
} from '../../src/domain/discovery/sources/foreign-catalogs.testing.ts'
import { createRelay } from '../../src/platform/events/relay.ts'
import { noFaults } from '../../src/platform/faults/faults.ts'
import { silentLog } from '../../src/platform/logs/logs.ts'
import { createMetrics } from '../../src/platform/metrics/metrics.ts'
import { startTestApp, type TestApp } from '../harness/app.ts'
import type { SearchingApi } from '../harness/searching-api.ts'

let app: TestApp
let world: ForeignCatalogs
beforeAll(async () => {
  app = await startTestApp()
  world = foreignCatalogs()
  await catalogSearchWorld(world)
  await app.post('/v1/merchant', { slug: 'own', domain: 'own.example', name: 'Own', currency: 'USD' })
  for (let at = 0; at < 20; at++) {
    const item = { title: `Lamp ${at}`, variants: [{ price: 1_000, currency: 'USD' }] }
    const made = await app.post('/v1/merchant/catalog_items', item)
    await app.post(`/v1/merchant/catalog_items/${made.body.id}/publish`)
  }
  const metrics = createMetrics()
  const relay = createRelay({ ...app.parts, followers, metrics, log: silentLog(), faults: noFaults })
  await relay.runOnce()
  await relay.stop()
})
afterAll(async () => {
  await world.close()
  await app.stop()
})

const program = fileURLToPath(new URL('../harness/searching-api.ts', import.meta.url))
const MiB = 1024 * 1024

async function startApi() {
  const given: SearchingApi = { databaseUrl: app.databaseUrl, catalogs: world.catalogs }
  const child = spawn(process.execPath, [program, JSON.stringify(given)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const rss = () => {
    const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
    return (Number(kilobytes) * 1024) / MiB
  }
  const search = async (count: number, atOnce: number, filters?: object) => {
    let left = count
    const one = async () => {
      while (left-- > 0) {
        const answer = await fetch(`${line}/v1/catalog`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${app.account.keys.secret_test}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify({ query: 'lamp', pagination: { limit: 50 }, filters }),
        })
        expect(answer.status).toBe(200)
        expect(((await answer.json()) as { products: unknown[] }).products).toHaveLength(filters ? 20 : 40)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, one))
  }
  return { rss, search, stop: () => child.kill('SIGKILL') }
}

test.runIf(existsSync('/proc/self/status'))(
  'five hundred searches over twenty catalogs, of which half fail, add no more than 30 MiB',
  async () => {
    const api = await startApi()
    // What a process keeps after answers of this size is there by then, whoever the products are of.
    await api.search(1_500, 5, { item_types: ['product'] })
    const before = api.rss()
    await api.search(500, 5)
    const grown = api.rss() - before
    api.stop()
    expect(grown).toBeLessThan(30)
  },
)
