import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { administer } from '../../../server/src/cli/operator/administer.ts'
import { roleConfig } from '../../../server/src/cli/role-config.ts'
import type { Benchmark, Contestant, Work } from '../benchmark.ts'
import { startBenchChild } from '../child.ts'
import { jsonRequest, startLoad } from '../load/load.ts'
import { quantile } from '../statistics.ts'
import type { ReceiverReport } from '../targets/webhook-receiver.ts'
import { makeBuyer, purchaseBody } from '../world/buyer.ts'
import { openMerchants, tellOfOrders } from '../world/merchants.ts'
import { startWorld, type World } from '../world/world.ts'

const perSecond = 5
const concurrency = 16
/** Events that the saturating tenant has waiting when a round begins, each with its delivery. */
const backlog = 3000
/** Purchases that the other tenant has queued at a slow shop when a round begins: more than it has places for until the round is over. */
const queued = 150

const kinds = ['create', 'approve → start', 'event → webhook'] as const
type Kind = (typeof kinds)[number]

/** How much a tenant with five purchases a second notices of another one that takes all it can get. */
export const fairnessBench: Benchmark = {
  name: 'fairness',
  about:
    'serves one tenant with five purchases and orders a second: alone, beside a tenant that saturates API, relay and worker, and beside one with a queue of purchases',
  unit: 'operation',
  seconds: 8,
  async prepare() {
    const world = await startWorld({ workers: 1 })
    const receiver = await startBenchChild<{ port: number }>(
      fileURLToPath(new URL('../targets/webhook-receiver.ts', import.meta.url)),
      [],
      { logFile: join(world.state, 'logs/bench.log') },
    )
    const [modest, busy] = await openMerchants(world, receiver.ready.port, { ok: 1, busy: 1 })
    if (!modest || !busy) throw new Error('there are no merchants')
    const modestBody = purchaseBody(world, await makeBuyer(world, modest.key))
    const busyBody = purchaseBody(world, await makeBuyer(world, busy.key))
    const slowBody = await slowPurchase(world, busy.key)
    const load = await startLoad()
    const request = jsonRequest(busy.key, 'POST', '/v1/purchase_intents', 201, busyBody, {
      'idempotency-key': 'busy-{{n}}',
    })
    const told = (merchant: typeof modest, orders: number) =>
      administer(roleConfig(world.state), async ({ parts }) => {
        for (let done = 0; done < orders; done += 50)
          await tellOfOrders(parts, merchant, { orders: Math.min(50, orders - done), eventsEach: 1 })
      })

    async function live(seconds: number): Promise<Record<Kind, Work>> {
      const creates: number[] = []
      const ids: string[] = []
      receiver.send({})
      await receiver.nextLine()
      const startedAt = performance.now()
      await administer(roleConfig(world.state), async ({ parts }) => {
        const purchases: Promise<void>[] = []
        for (let number = 0; number < perSecond * seconds; number++) {
          purchases.push(
            (async () => {
              const sentAt = performance.now()
              const { id } = await world.call('POST', '/v1/purchase_intents', modestBody, modest?.key)
              creates.push(performance.now() - sentAt)
              await world.call('POST', `/v1/purchase_intents/${id}/approve`, { approve: true }, modest?.key)
              ids.push(id)
            })(),
          )
          if (modest) purchases.push(tellOfOrders(parts, modest, { orders: 1, eventsEach: 1 }))
          await delay(Math.max(0, startedAt + ((number + 1) * 1000) / perSecond - performance.now()))
        }
        await Promise.all(purchases)
      })
      const took = (performance.now() - startedAt) / 1000
      const starts = await startedAfter(ids)
      const latencyMs = await webhooks(ids.length)
      const work = (sorted: number[]): Work => ({
        operations: sorted.length,
        seconds: took,
        latencyMs: { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) },
      })
      return {
        create: work(creates.sort((a, b) => a - b)),
        'approve → start': work(starts),
        'event → webhook': { operations: ids.length, seconds: took, latencyMs },
      }
    }

    async function queuePurchases(): Promise<void> {
      for (let made = 0; made < queued; made += 10) {
        const some = Array.from({ length: Math.min(10, queued - made) }, () =>
          world.call('POST', '/v1/purchase_intents', slowBody, busy?.key),
        )
        await Promise.all(some)
      }
    }

    /** The next round is not charged with what this one queued. */
    async function untilBought(): Promise<void> {
      for (;;) {
        const { rows } = await world.database.query(
          `select count(*)::int as open from purchase_intents where account_id = $1 and profile_id = $2 and completed_at is null`,
          [busy?.accountId, slowBody.profile_id],
        )
        if (rows[0]?.open === 0) return
        await delay(100)
      }
    }

    /** Milliseconds from approval to start, ascending; waits for those that have not started. */
    async function startedAfter(ids: readonly string[]): Promise<number[]> {
      for (;;) {
        const { rows } = await world.database.query(
          `select extract(epoch from started_at - approved_at)::float8 * 1000 as ms from purchase_intents where id = any($1) order by 1`,
          [ids],
        )
        if (rows.every(({ ms }) => ms !== null)) return rows.map(({ ms }) => ms)
        await delay(50)
      }
    }

    async function webhooks(expected: number): Promise<{ p50: number; p99: number }> {
      for (;;) {
        const { rows } = await world.database.query(
          `select count(*)::int as open from events e left join deliveries v on v.event_id = e.id
           where e.account_id = $1 and e.type = 'order.requested' and e.recipient_account_id = $1 and v.first_attempt_at is null`,
          [modest?.accountId],
        )
        if (rows[0]?.open === 0) break
        await delay(50)
      }
      receiver.send({})
      const { latencyMs, requests } = (await receiver.nextLine()) as ReceiverReport // the script's only kind of line
      if (requests < expected) throw new Error(`${requests} webhooks arrived of ${expected}`)
      return latencyMs
    }

    /** The first of the three does the work of a round. The others return further figures of it. */
    const contestantsOf = (
      how: string,
      round: (seconds: number) => Promise<Record<Kind, Work>>,
      before: () => Promise<void> = async () => undefined,
    ): Contestant[] => {
      let seen: Record<Kind, Work> | null = null
      return kinds.map((kind, index) => ({
        name: `${kind}, ${how}`,
        processes: () => ({}),
        ...(index === 0
          ? {
              async before() {
                await world.database.query('vacuum analyze')
                await before()
              },
            }
          : {}),
        async run(seconds) {
          if (index === 0 || seen === null) seen = await round(seconds)
          return seen[kind]
        },
      }))
    }
    const beside = async (seconds: number) => {
      await told(busy, backlog)
      const order = { url: world.ready.base_url, requests: [request], concurrency, seconds }
      const [seen] = await Promise.all([live(seconds), load.run(order)])
      return seen
    }
    const besideQueue = async (seconds: number) => {
      const seen = await live(seconds)
      await untilBought()
      return seen
    }
    return {
      postgres: world.postgres,
      contestants: [
        ...contestantsOf('alone', live),
        ...contestantsOf('beside', beside),
        ...contestantsOf('beside a queue', besideQueue, queuePurchases),
      ],
      comparisons: ['beside', 'beside a queue'].flatMap((how) =>
        kinds.flatMap((kind) =>
          (['p50_ms', 'p99_ms'] as const).map((measure) => ({
            about: `${kind}, ${measure === 'p50_ms' ? 'p50' : 'p99'}: ${how}, of alone`,
            of: `${kind}, ${how}`,
            against: `${kind}, alone`,
            measure,
          })),
        ),
      ),
      facts: {
        'a second': perSecond,
        'creates under way beside': concurrency,
        'backlog of events beside': backlog,
        'purchases in the queue': queued,
      },
      async stop() {
        await load.stop()
        await receiver.stop()
        await world.stop()
      },
    }
  },
}

/** An unattended purchase from a shop that takes three seconds to offer its price. */
async function slowPurchase(world: World, key: string) {
  const profile_id = await makeBuyer(world, key)
  const { item_price: price, item_currency: currency } = world.ready.sandbox
  const policy = {
    name: 'Unattended',
    currency,
    scope: { profile_ids: [profile_id] },
    limits: { per_transaction_max: 10 * price, intervals: [{ interval: 'day', max_amount: 1_000_000_000 }] },
    approval: { mode: 'never' },
  }
  await world.call('POST', '/v1/policies', policy, key)
  const item = { quantity: 1, expected_amount: price, expected_currency: currency }
  return {
    profile_id,
    items: [{ url: 'https://shop.example/slow', ...item }],
    preferences: { fulfillment: { method: 'ship', max_fee_amount: 800 } },
  }
}
