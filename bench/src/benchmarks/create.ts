import type { Benchmark } from '../benchmark.ts'
import { jsonRequest, startLoad } from '../load/load.ts'
import { pgbenchContestant, scriptDriver } from '../pgbench/pgbench.ts'
import { purchaseDocuments } from '../pgbench/purchase-documents.ts'
import { makeBuyer, purchaseBody } from '../world/buyer.ts'
import { startWorld } from '../world/world.ts'

const concurrency = 16

/** Creating a purchase, beside the same rows written by one statement without checks, decisions or rendering. */
export const createBench: Benchmark = {
  name: 'create',
  about: 'creates purchase intents that wait for approval, compared with pgbench writing the same rows',
  unit: 'purchase intent',
  seconds: 4,
  async prepare() {
    // Without a worker: the work that follows from the events is no cost of creating.
    const world = await startWorld({ workers: 0 })
    const profileId = await makeBuyer(world)
    const load = await startLoad()
    const request = jsonRequest(
      world.ready.keys.agent_test,
      'POST',
      '/v1/purchase_intents',
      201,
      purchaseBody(world, profileId),
      { 'idempotency-key': 'bench-{{n}}' },
    )
    const tenant = { account: world.ready.account_id, profile: profileId }
    // No relay runs here. Statistics are those that autovacuum gives a database that has been up for a minute.
    const tidyUp = async () => {
      await world.database.query('truncate outbox')
      await world.database.query('vacuum analyze')
    }
    return {
      postgres: world.postgres,
      contestants: [
        {
          name: 'Prokura',
          processes: world.processes,
          before: tidyUp,
          run: (seconds) =>
            load.run({ url: world.ready.base_url, requests: [request], concurrency, seconds }),
        },
        pgbenchContestant(world, 'pgbench, one statement', 'one-statement.sql', {
          ...tenant,
          ...purchaseDocuments,
        }),
      ],
      comparisons: [
        {
          about: 'of the one statement whose JSON is parsed',
          of: 'Prokura',
          against: 'pgbench, one statement',
          measure: 'rate',
          bound: { at: 'least', floor: 0.34, aim: 0.42 },
        },
      ],
      budgets: [
        { about: 'Node, µs a request', of: 'Prokura', measure: 'node_us', most: 600 },
        { about: 'PostgreSQL, µs a request', of: 'Prokura', measure: 'postgres_us', most: 500, aim: 400 },
      ],
      facts: { 'driver of the scripts': scriptDriver(), 'under way at once': concurrency },
      async stop() {
        await load.stop()
        await world.stop()
      },
    }
  },
}
