import { setTimeout as delay } from 'node:timers/promises'
import type { Benchmark } from '../benchmark.ts'
import { jsonRequest, startLoad } from '../load/load.ts'
import { makeBuyer, purchaseBody } from '../world/buyer.ts'
import { startWorld, type World } from '../world/world.ts'

const concurrency = 8
const purchasesPerSecond = 40
const patienceMs = 120_000

/** A purchase from the wish to the captured payment, with everything that follows from it: webhooks, audit, the merchant's answer. */
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
      return asked
    }
    return {
      postgres: world.postgres,
      contestants: [
        {
          name: 'Prokura',
          processes: world.processes,
          // What autovacuum gives a database that has been up for a minute; its new statistics have every connection plan anew.
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
          most: 15_000,
          aim: 8_000,
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

/** Waits until nothing is under way any more, and makes sure that every purchase was one. */
async function settled({ database }: World): Promise<void> {
  const endsAt = performance.now() + patienceMs
  for (;;) {
    const { rows } = await database.query(
      `select (select count(*) from purchase_intents where status in ('queued', 'approved'))
         + (select count(*) from carts where due_at is not null) + (select count(*) from unrelayed)
         + (select count(*) from deliveries where due_at is not null) as open,
         (select count(*) from purchase_intents where status not in ('queued', 'approved', 'succeeded')) as failed`,
    )
    const [{ open, failed }] = rows
    if (Number(failed) > 0) throw new Error(`${failed} purchases did not succeed`)
    if (Number(open) === 0) return
    if (performance.now() > endsAt)
      throw new Error(`${open} rows are still open after ${patienceMs / 1000} s`)
    await delay(25)
  }
}
