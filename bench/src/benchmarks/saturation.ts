import type { Benchmark, Contestant } from '../benchmark.ts'
import { startShoppers } from '../load/shoppers.ts'
import { openCosts } from '../world/purchase-costs.ts'
import { settled } from '../world/settled.ts'
import { openShoppers, openShops } from '../world/shops.ts'
import { startWorld } from '../world/world.ts'

const saturated = 64
const buyers = 6
const sellers = 4

/** What a purchase costs where as many are under way as the machine can take, and what it costs alone. */
export const saturationBench: Benchmark = {
  name: 'saturation',
  about:
    'makes native purchases of several buyers at several merchants in a closed loop, 64 at once and one at a time: their CPU, statements, transactions, log and storage',
  unit: 'purchase',
  seconds: 8,
  async prepare() {
    const world = await startWorld({ workers: 1 })
    const shoppers = await openShoppers(world, buyers)
    const offered = await openShops(world, sellers)
    const costs = await openCosts(world)
    const load = await startShoppers(world)
    const contestant = (name: string, atOnce: number): Contestant => {
      let before = { statements: 0, transactions: 0, logBytes: 0, storedBytes: 0 }
      return {
        name,
        processes: () => ({ ...world.processes(), ...world.roles() }),
        async before() {
          // New statistics make every connection plan again.
          await world.database.query('vacuum analyze')
          await load.run({ shoppers, offered, atOnce, seconds: 60, purchases: Math.max(10, 2 * atOnce) })
          await settled(world)
          before = await costs()
        },
        async run(seconds) {
          const startedAt = performance.now()
          const { operations, latencyMs } = await load.run({ shoppers, offered, atOnce, seconds })
          await settled(world)
          return { operations, latencyMs, seconds: (performance.now() - startedAt) / 1000 }
        },
        async counts() {
          const after = await costs()
          return {
            statements: after.statements - before.statements,
            transactions: after.transactions - before.transactions,
            logBytes: after.logBytes - before.logBytes,
            storedBytes: after.storedBytes - before.storedBytes,
          }
        },
      }
    }
    const of = `${saturated} at once`
    return {
      postgres: world.postgres,
      contestants: [contestant(of, saturated), contestant('alone', 1)],
      budgets: [
        { about: 'CPU of all our processes, µs a purchase', of, measure: 'cpu_us', most: 14_000, aim: 9_000 },
        { about: 'the same alone', of: 'alone', measure: 'cpu_us', most: 28_000, aim: 20_000 },
        { about: 'purchases a second, everything there', of, measure: 'rate', least: 105, aim: 150 },
        { about: 'statements a purchase', of, measure: 'statements', most: 60, aim: 25 },
        { about: 'transactions a purchase', of, measure: 'transactions', most: 20, aim: 12 },
        { about: 'kB of log a purchase', of, measure: 'log_kb', most: 50, aim: 40 },
        { about: 'kB stored a purchase, indexes included', of, measure: 'stored_kb', most: 32, aim: 22 },
      ],
      facts: { buyers, merchants: sellers, statements: 'without BEGIN and COMMIT' },
      async stop() {
        await load.stop()
        await world.stop()
      },
    }
  },
}
