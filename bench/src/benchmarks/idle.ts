import { setTimeout as delay } from 'node:timers/promises'
import type { Benchmark } from '../benchmark.ts'
import { openCosts } from '../world/purchase-costs.ts'
import { startWorld } from '../world/world.ts'

/** What everything costs while nothing happens: an operation is a second. */
export const idleBench: Benchmark = {
  name: 'idle',
  about:
    'does nothing: the CPU, statements and transactions of all processes in a second without any request',
  unit: 'second',
  seconds: 60,
  async prepare() {
    const world = await startWorld({ workers: 1 })
    const costs = await openCosts(world)
    let before = { statements: 0, transactions: 0, logBytes: 0, storedBytes: 0 }
    return {
      postgres: world.postgres,
      contestants: [
        {
          name: 'everything',
          processes: () => ({ ...world.processes(), ...world.roles() }),
          async before() {
            before = await costs()
          },
          async run(seconds) {
            await delay(seconds * 1000)
            return { operations: seconds, seconds }
          },
          async counts() {
            const { statements, transactions, logBytes } = await costs()
            return {
              statements: statements - before.statements,
              transactions: transactions - before.transactions,
              logBytes: logBytes - before.logBytes,
            }
          },
        },
      ],
      budgets: [
        {
          about: 'CPU of all our processes, µs a second',
          of: 'everything',
          measure: 'cpu_us',
          most: 20_000,
          aim: 10_000,
        },
      ],
      stop: () => world.stop(),
    }
  },
}
