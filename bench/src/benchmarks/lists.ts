import type { Benchmark, Comparison, Contestant } from '../benchmark.ts'
import { jsonRequest, startLoad } from '../load/load.ts'
import { makeBuyer, purchaseBody } from '../world/buyer.ts'
import { copyIntents, openAccount } from '../world/crowd.ts'
import { startWorld } from '../world/world.ts'

const concurrency = 4
const sizes = [10_000, 100_000, 1_000_000] as const
const pages = [
  { name: 'first page', query: 'limit=50' },
  { name: 'first page of a status', query: 'limit=50&status=awaiting_approval' },
  { name: 'a page in the middle', query: 'limit=50&offset=5000' },
] as const

/** A list's first page, of tenants with few and with many rows in the same table. */
export const listsBench: Benchmark = {
  name: 'lists',
  about:
    'lists of purchase intents of accounts that have ten thousand, a hundred thousand and a million of them',
  unit: 'page',
  seconds: 2,
  async prepare() {
    const world = await startWorld({ workers: 0 })
    const profileId = await makeBuyer(world)
    const model = await world.call('POST', '/v1/purchase_intents', purchaseBody(world, profileId))
    const load = await startLoad()
    const contestants: Contestant[] = []
    for (const size of sizes) {
      const { accountId, key } = await openAccount(world, `${size} purchases`)
      await copyIntents(world, { accountId, model: model.id, count: size })
      for (const { name, query } of pages) {
        const requests = [jsonRequest(key, 'GET', `/v1/purchase_intents?${query}`, 200)]
        contestants.push({
          name: `${name}, ${size}`,
          processes: world.processes,
          run: (seconds) => load.run({ url: world.ready.base_url, requests, concurrency, seconds }),
        })
      }
    }
    await world.database.query('vacuum analyze')
    const comparisons = pages.map(({ name }): Comparison => {
      const bound = { at: 'most', floor: 2, aim: 1.2 } as const
      const about = `${name}: a million beside ten thousand`
      const isAsked = name !== 'a page in the middle'
      return {
        about,
        of: `${name}, 1000000`,
        against: `${name}, 10000`,
        measure: 'p50_ms',
        ...(isAsked ? { bound } : {}),
      }
    })
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
