import type { Benchmark } from '../benchmark.ts'
import { jsonRequest, startLoad } from '../load/load.ts'
import { makeBuyer, purchaseBody } from '../world/buyer.ts'
import { settled } from '../world/settled.ts'
import { startWorld, type World } from '../world/world.ts'

const concurrency = 8
const purchasesPerSecond = 40
const patienceMs = 120_000

/** A purchase from the request to the captured payment, with everything that follows from it: webhooks, audit, the merchant's answer. */
export const purchaseBench: Benchmark = {
  name: 'purchase',
  about:
    'makes native purchases at the sandbox merchant, from create until they have succeeded and every webhook is delivered',
  unit: 'purchase',
  seconds: 6,
  async prepare() {
    const world = await startWorld({ workers: 1 })
    const profileId = await makeBuyer(world)
    const load = await startLoad()
    const key = world.ready.keys.secret_test
    const requests = [
      jsonRequest(key, 'POST', '/v1/purchase_intents', 201, purchaseBody(world, profileId), {
        'idempotency-key': 'bench-{{n}}',
      }),
      jsonRequest(
        key,
        'POST',
        '/v1/purchase_intents/{{id}}/approve',
        200,
        { approve: true },
        {
          'idempotency-key': 'bench-approve-{{n}}',
        },
      ),
    ]
    async function buy(operations: number): Promise<number> {
      const order = {
        url: world.ready.base_url,
        requests,
        concurrency,
        operations,
        seconds: patienceMs / 1000,
      }
      const { operations: asked } = await load.run(order)
      await settled(world)
      await expectSuccess(world)
      return asked
    }
    return {
      postgres: world.postgres,
      contestants: [
        {
          name: 'Prokura',
          processes: world.processes,
          // The statistics that autovacuum gives a database that has been up for a minute. New ones make every connection plan again.
          async before() {
            await world.database.query('vacuum analyze')
            await buy(purchasesPerSecond)
          },
          async run(seconds) {
            const startedAt = performance.now()
            const asked = await buy(Math.max(10, Math.round(purchasesPerSecond * seconds)))
            return { operations: asked, seconds: (performance.now() - startedAt) / 1000 }
          },
        },
      ],
      budgets: [
        {
          about: 'CPU of all our processes and PostgreSQL, µs a purchase',
          of: 'Prokura',
          measure: 'cpu_us',
          most: 14_000,
          aim: 9_000,
        },
      ],
      facts: { 'clients asking at once': concurrency },
      async stop() {
        await load.stop()
        await world.stop()
      },
    }
  },
}

async function expectSuccess({ database }: World): Promise<void> {
  const { rows } = await database.query(
    `select count(*)::int as failed from purchase_intents where status not in ('queued', 'approved', 'succeeded')`,
  )
  const [{ failed }] = rows
  if (failed > 0) throw new Error(`${failed} purchases did not succeed`)
}
