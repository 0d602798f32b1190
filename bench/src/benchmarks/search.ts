import type { Benchmark, Contestant } from '../benchmark.ts'
import { jsonRequest, startLoad } from '../load/load.ts'
import { publishItems, searchesOf } from '../world/products.ts'
import { startWorld } from '../world/world.ts'

const sizes = [100_000, 1_000_000] as const
const queries = 200

/** The search of what is published, one search after the other, in catalogs of two sizes. */
export const searchBench: Benchmark = {
  name: 'search',
  about:
    'searches published listings by two hundred queries, a third of them misspelled and a third filtered, among a hundred thousand and a million',
  unit: 'search',
  seconds: 6,
  async prepare() {
    const load = await startLoad()
    const opened: Awaited<ReturnType<typeof openCatalog>>[] = []
    for (const size of sizes) opened.push(await openCatalog(size, load))
    const [small, large] = opened
    if (!small || !large) throw new Error('there are no catalogs')
    return {
      postgres: small.world.postgres,
      contestants: opened.map(({ contestant }) => contestant),
      budgets: [
        { about: 'a search among 100,000, p50', of: small.contestant.name, measure: 'p50_ms', most: 10 },
        { about: 'a search among 100,000, p99', of: small.contestant.name, measure: 'p99_ms', most: 60 },
        { about: 'a search among a million, p50', of: large.contestant.name, measure: 'p50_ms', most: 50 },
      ],
      facts: { 'under way at once': 1, ...Object.fromEntries(opened.map(({ facts }) => facts)) },
      async stop() {
        await load.stop()
        for (const { world } of opened) await world.stop()
      },
    }
  },
}

async function openCatalog(size: number, load: Awaited<ReturnType<typeof startLoad>>) {
  const world = await startWorld({ workers: 0, env: { PROKURA_LIMIT_DISCOVERY_TEST: '1000000' } })
  await world.call('POST', '/v1/merchant', { slug: 'model', domain: 'model.example', currency: 'EUR' })
  const item = await world.call('POST', '/v1/merchant/catalog_items', {
    title: 'A thing',
    variants: [{ sku: 'SKU', price: 1000, currency: 'EUR' }],
  })
  await world.call('POST', `/v1/merchant/catalog_items/${item.id}/publish`)
  await publishItems(world, item.id, size)
  const order = {
    url: world.ready.base_url,
    requests: [
      {
        ...jsonRequest(world.ready.keys.secret_test, 'POST', '/v1/catalog', 200, {}),
        body: '{{value}}',
      },
    ],
    values: searchesOf(queries).map((search) => JSON.stringify(search)),
    concurrency: 1,
  }
  const { rows } = await world.database.query<{ bytes: string }>(
    `select pg_total_relation_size('listings')::text as bytes`,
  )
  const contestant: Contestant = {
    name: `search, ${size.toLocaleString('en')}`,
    processes: world.processes,
    before: async () => {
      await load.run({ ...order, seconds: 3 })
    },
    run: (seconds) => load.run({ ...order, seconds }),
  }
  const facts = [
    `bytes a listing, ${size.toLocaleString('en')}`,
    Math.round(Number(rows[0]?.bytes) / size),
  ] as const
  return { world, contestant, facts }
}
