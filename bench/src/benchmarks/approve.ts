import type { Benchmark } from '../benchmark.ts'
import { jsonRequest, startLoad } from '../load/load.ts'
import { pgbenchContestant, scriptDriver } from '../pgbench/pgbench.ts'
import { makeBuyer, purchaseBody } from '../world/buyer.ts'
import { startWorld, type World } from '../world/world.ts'

const concurrency = 16

/** Releasing money: approvals by a person, and purchases under one policy, which all wait for it. */
export const approveBench: Benchmark = {
  name: 'approve',
  about:
    'creates purchases that one policy approves by itself, compared with the same lock in pgbench; and approvals by a person',
  unit: 'release',
  seconds: 4,
  async prepare() {
    // Without a worker: approved purchases are not bought here.
    const world = await startWorld({ workers: 0 })
    const [attended, unattended] = [await makeBuyer(world), await makeBuyer(world)]
    const policy = await allowEverything(world, unattended)
    const load = await startLoad()
    const create = (profileId: string) =>
      jsonRequest(
        world.ready.keys.secret_test,
        'POST',
        '/v1/purchase_intents',
        201,
        purchaseBody(world, profileId),
        { 'idempotency-key': 'bench-{{n}}' },
      )
    const approve = jsonRequest(
      world.ready.keys.secret_test,
      'POST',
      '/v1/purchase_intents/{{id}}/approve',
      200,
      { approve: true },
      { 'idempotency-key': 'bench-approve-{{n}}' },
    )
    const tidyUp = async () => {
      await world.database.query('truncate outbox')
      await world.database.query('vacuum analyze')
    }
    const contestant = (name: string, requests: Parameters<typeof load.run>[0]['requests']) => ({
      name,
      processes: world.processes,
      before: tidyUp,
      run: (seconds: number) => load.run({ url: world.ready.base_url, requests, concurrency, seconds }),
    })
    return {
      postgres: world.postgres,
      contestants: [
        contestant('Prokura, under one policy', [create(unattended)]),
        pgbenchContestant(world, 'pgbench, the same lock', 'one-lock.sql', {
          account: world.ready.account_id,
          profile: unattended,
          policy,
        }),
        contestant('Prokura, create and approve', [create(attended), approve]),
      ],
      comparisons: [
        {
          about: 'of the same lock in pgbench',
          of: 'Prokura, under one policy',
          against: 'pgbench, the same lock',
          measure: 'rate',
          bound: { at: 'least', floor: 0.7, aim: 0.85 },
        },
      ],
      facts: { 'driver of the scripts': scriptDriver(), 'under way at once': concurrency },
      async stop() {
        await load.stop()
        await world.stop()
      },
    }
  },
}

/** A policy with a window to count in, and room for everything. */
async function allowEverything(world: World, profileId: string): Promise<string> {
  const policy = await world.call('POST', '/v1/policies', {
    name: 'Bench',
    currency: world.ready.sandbox.item_currency,
    scope: { profile_ids: [profileId] },
    limits: { intervals: [{ interval: 'day', max_amount: 900_000_000_000 }] },
    approval: { mode: 'above_threshold', auto_approve_up_to: 1_000_000 },
  })
  const made = await world.call('POST', '/v1/purchase_intents', purchaseBody(world, profileId))
  if (made.status !== 'queued') throw new Error(`the policy left the purchase ${made.status}`)
  return policy.id
}
