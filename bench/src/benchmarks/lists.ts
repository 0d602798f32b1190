import type { Benchmark, Comparison, Contestant } from '../benchmark.ts'
import { jsonRequest, startLoad } from '../load/load.ts'
import { makeBuyer, purchaseBody } from '../world/buyer.ts'
import { type Account, copyIntents, copyItems, fillTables, openAccount } from '../world/crowd.ts'
import { startWorld } from '../world/world.ts'

const concurrency = 4
const few = 10_000
const many = 1_000_000
const sizes = [few, 100_000, many] as const

type Page = {
  name: string
  path: string
  /** Measured with every number of rows, or with the fewest and the most. */
  sizes: readonly number[]
  /** Whether a million may cost no more than twice as much as ten thousand. */
  isAsked: boolean
}

const intents = '/v1/purchase_intents?limit=50'
const items = '/v1/merchant/catalog_items?limit=50'
const ends = [few, many]

const pages: readonly Page[] = [
  { name: 'first page', path: intents, sizes, isAsked: true },
  { name: 'first page of a status', path: `${intents}&status=awaiting_approval`, sizes, isAsked: true },
  { name: 'a page in the middle', path: `${intents}&offset=5000`, sizes, isAsked: false },
  { name: 'search: a reference', path: `${intents}&q=order-9876`, sizes: ends, isAsked: true },
  { name: 'search: a shop', path: `${intents}&q=shop-123`, sizes: ends, isAsked: true },
  { name: 'search: nothing', path: `${intents}&q=nowhere-at-all`, sizes: ends, isAsked: true },
  { name: 'items', path: items, sizes: ends, isAsked: true },
  { name: 'items, search: a SKU', path: `${items}&q=sku-9876`, sizes: ends, isAsked: false },
  { name: 'items, search: nothing', path: `${items}&q=nowhere-at-all`, sizes: ends, isAsked: true },
]

/** Lists and their searches, for tenants with few and with many rows in the same tables. */
export const listsBench: Benchmark = {
  name: 'lists',
  about:
    'lists and searches purchases and catalog items, in accounts that have ten thousand, a hundred thousand and a million of them',
  unit: 'page',
  seconds: 1,
  async prepare() {
    const world = await startWorld({ workers: 0 })
    const profileId = await makeBuyer(world)
    const intent = await world.call('POST', '/v1/purchase_intents', purchaseBody(world, profileId))
    const item = await world.call('POST', '/v1/merchant/catalog_items', {
      title: 'A thing',
      description: 'A thing that somebody may want. It is sent within two days.',
      variants: [{ sku: 'SKU', price: 1000, currency: 'EUR' }],
    })
    const accounts = new Map<number, Account>()
    for (const size of sizes) accounts.set(size, await openAccount(world, `${size} of everything`))
    await fillTables(world, ['profiles', 'purchase_intents', 'purchase_terms', 'catalog_items'], async () => {
      for (const [count, { accountId }] of accounts) {
        await copyIntents(world, { accountId, model: intent.id, count })
        if (ends.includes(count)) await copyItems(world, { accountId, model: item.id, count })
      }
    })
    const load = await startLoad()
    const contestants = pages.flatMap(({ name, path, sizes: measured }) =>
      measured.map((size): Contestant => {
        const requests = [jsonRequest(accounts.get(size)?.key ?? '', 'GET', path, 200)]
        return {
          name: `${name}, ${size}`,
          processes: world.processes,
          run: (seconds) => load.run({ url: world.ready.base_url, requests, concurrency, seconds }),
        }
      }),
    )
    const comparisons = pages.map(
      ({ name, isAsked }): Comparison => ({
        about: `${name}: a million beside ten thousand`,
        of: `${name}, ${many}`,
        against: `${name}, ${few}`,
        measure: 'p50_ms',
        ...(isAsked ? { bound: { at: 'most', floor: 2, aim: 1.2 } } : {}),
      }),
    )
    return {
      postgres: world.postgres,
      contestants,
      comparisons,
      facts: { 'under way at once': concurrency },
      async stop() {
        await load.stop()
        await world.stop()
      },
    }
  },
}
