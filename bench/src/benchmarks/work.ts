import { setTimeout as delay } from 'node:timers/promises'
import type { Benchmark } from '../benchmark.ts'
import { makeBuyer, purchaseBody } from '../world/buyer.ts'
import { startWorld } from '../world/world.ts'

const pauseMs = 50

/** How long an approved purchase waits for the worker that begins it, on a service that has nothing else to do. */
export const workBench: Benchmark = {
  name: 'work',
  about: 'from the approval of a purchase to its start, one at a time, in database time',
  unit: 'purchase',
  seconds: 4,
  async prepare() {
    const world = await startWorld({ workers: 1 })
    const profileId = await makeBuyer(world)
    const body = purchaseBody(world, profileId)
    return {
      postgres: world.postgres,
      contestants: [
        {
          name: 'approve → start',
          processes: world.processes,
          before: async () => void (await world.database.query('vacuum analyze')),
          async run(seconds) {
            const startedAt = performance.now()
            const ids: string[] = []
            while (performance.now() - startedAt < seconds * 1000) {
              const { id } = await world.call('POST', '/v1/purchase_intents', body)
              await world.call('POST', `/v1/purchase_intents/${id}/approve`, { approve: true })
              ids.push(id)
              await delay(pauseMs)
            }
            const { rows } = await world.database.query(
              `select percentile_cont(0.5) within group (order by ms) as p50, percentile_cont(0.99) within group (order by ms) as p99
               from (select extract(epoch from started_at - approved_at)::float8 * 1000 as ms from purchase_intents where id = any($1)) as waits`,
              [ids],
            )
            const took = (performance.now() - startedAt) / 1000
            return { operations: ids.length, seconds: took, latencyMs: rows[0] }
          },
        },
      ],
      budgets: [
        { about: 'approve → start, p50 ms', of: 'approve → start', measure: 'p50_ms', most: 15, aim: 8 },
      ],
      stop: () => world.stop(),
    }
  },
}
