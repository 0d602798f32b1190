import { browserChannel } from '../../../src/channels/browser/browser.ts'
import { mppChannel } from '../../../src/channels/mpp/mpp.ts'
import { simulatedChannel } from '../../../src/channels/simulated/simulated.ts'
import { ucpChannel } from '../../../src/channels/ucp/ucp.ts'
import { events } from '../../../src/composition.ts'
import { rollKey } from '../../../src/domain/accounts/api-keys/public.ts'
import { onboardingWork } from '../../../src/domain/buyers/onboarding-links/work.ts'
import type { BuyingChannel } from '../../../src/domain/buying/channels/port.ts'
import { cartWork, followDecisions, intentWork } from '../../../src/domain/buying/execution/work.ts'
import { followAddresses } from '../../../src/domain/buying/intents/decide/follow-addresses.ts'
import { railsByMode } from '../../../src/domain/buying/rails/rails.ts'
import { refundWork } from '../../../src/domain/buying/refunds/work.ts'
import { followItems } from '../../../src/domain/discovery/listings/follow-items.ts'
import { checkWork } from '../../../src/domain/readiness/integration-checks/work.ts'
import { readyRecords } from '../../../src/domain/readiness/merchant-readiness/read-readiness.ts'
import { createDomainWork } from '../../../src/domain/selling/merchant/work.ts'
import { promotionWork, redemptionWork } from '../../../src/domain/selling/promotions/work.ts'
import { orderWork } from '../../../src/domain/trade/orders/work.ts'
import { failUnanswered } from '../../../src/domain/trade/quotes/fail-unanswered.ts'
import { quoteWork } from '../../../src/domain/trade/quotes/work.ts'
import { followDeliveries } from '../../../src/domain/webhooks/destinations/follow-deliveries.ts'
import { createDeliveryWork } from '../../../src/domain/webhooks/destinations/work.ts'
import { runAs } from '../../../src/platform/calls/run-as.ts'
import { createEgress } from '../../../src/platform/egress/egress.ts'
import { createRelay } from '../../../src/platform/events/relay.ts'
import { noFaults } from '../../../src/platform/faults/faults.ts'
import { topics } from '../../../src/platform/hints/hints.ts'
import { createLog } from '../../../src/platform/logs/logs.ts'
import { createMetrics } from '../../../src/platform/metrics/metrics.ts'
import type { WorkKind } from '../../../src/platform/work/work.ts'
import { createWorker } from '../../../src/platform/work/worker.ts'
import { newAccount, startTestApp, type TestAccount, type TestApp } from '../../harness/app.ts'
import type { TestServer } from '../../harness/database.ts'
import { type StoppedClock, stopClock } from '../../harness/stopped-clock.ts'
import { type Client, openClient, type Sent } from '../client.ts'
import { knowStrangers } from './know-strangers.ts'
import { createModelPages } from './pages.ts'
import { createModelRail, type ModelRail } from './rail.ts'
import { answerOf, createModelShops, orderPageOf } from './shop.ts'

/**
 * The product on a database of its own whose time stands still: the API listens, and a worker and a relay run only when the test
 * says so. Nothing in it depends on speed.
 */
export type Lane = {
  app: TestApp
  clock: StoppedClock
  rail: ModelRail
  shops: BuyingChannel
  /** What DNS says at a domain; files are nowhere. */
  texts: Map<string, string[]>
  /** The kinds of work of its worker, for another worker. */
  kinds: readonly WorkKind[]
  send(request: LaneRequest): Promise<Sent>
  newAccount(name: string): Promise<TestAccount>
  /** As the operator's `keys roll`. */
  rollKey(account: TestAccount, keyId: string, overlapMs: number): Promise<IssuedSecret>
  sql<Row>(text: string, values?: unknown[]): Promise<Row[]>
  /** Does everything that is due at this moment, and what follows from it. Answers the number of steps and events. */
  work(): Promise<number>
  /** Tells followers what has happened, and does no work. */
  tell(): Promise<number>
  /** Does what is due of one kind. */
  workOnly(kind: WorkKind['kind']): Promise<number>
  /** The next moment at which something is due, if it is before `until`. */
  nextDue(until: Date): Promise<Date | null>
  /** Makes all rows that are still due never due, so that the next history does not meet them. */
  abandon(): Promise<void>
  /** The complaints of the worker and the relay since the last call. */
  complaints(): string[]
  stop(): Promise<void>
}

type IssuedSecret = { id: string; agentId: string; token: string }

export type LaneRequest = {
  method?: string
  path: string
  key: string
  body?: object
  idempotencyKey?: string | null
}

type LaneOptions = {
  /** Webhooks go out as well, to loopback, with all other work that the model of purchases does not know. */
  deliveries?: boolean
  /** In place of the rail in memory; it is asked by the call as it was sent. */
  railOver?: (memory: ModelRail) => ModelRail
}

export async function openLane(
  server: TestServer,
  { deliveries = false, railOver }: LaneOptions = {},
): Promise<Lane> {
  const app = await startTestApp({ server, testClock: true, checkReplies: true })
  const { parts } = app
  const clock = await stopClock(parts.pools, new Date('2026-01-01T00:00:00.000Z'))
  const client: Client = openClient(app.url)
  const memory = createModelRail()
  const rail = railOver?.(memory) ?? memory
  const complaints: string[] = []
  const log = createLog({
    level: 'warn',
    role: 'test',
    destination: { write: (line: string) => void complaints.push(line) },
  })
  const deps = { ...parts, log, metrics: createMetrics(), faults: noFaults }
  const shops = createModelShops(rail)
  const { browser, grantCard } = createModelPages(rail)
  const execution = {
    grantCard,
    rails: railsByMode({
      test: [{ name: 'sandbox', rail, circuit: null, isAskedByCall: railOver !== undefined }],
    }),
    channels: [
      { ...simulatedChannel, channel: shops },
      { ...ucpChannel, channel: createModelShops(rail, orderPageOf) },
      { ...mppChannel, channel: createModelShops(rail, answerOf) },
      { ...browserChannel, channel: browserChannel.open({ browser, pageReader: null }) },
    ],
  }
  const egress = createEgress({ allowLoopback: (mode) => mode === 'test', trustedOrigins: [] })
  // One cart after the other, so that the same seed always makes the same history.
  const kinds: WorkKind[] = [
    { ...intentWork(execution), concurrency: 1 },
    { ...cartWork(execution), concurrency: 1 },
    { ...refundWork(execution.rails), concurrency: 1 },
    orderWork,
    quoteWork,
  ]
  const texts = new Map<string, string[]>()
  if (deliveries) {
    const wallNow = () => new Date()
    const resolveText = async (domain: string) => texts.get(domain) ?? []
    const fileUrlOf = () => 'http://127.0.0.1:1/'
    kinds.push(createDomainWork({ egress, resolveText, fileUrlOf, records: readyRecords }))
    kinds.push(createDeliveryWork({ events, egress, wallNow, onFailed: failUnanswered }), checkWork)
    kinds.push(onboardingWork, promotionWork, redemptionWork)
  }
  const worker = createWorker({ ...deps, kinds })
  const relay = createRelay({
    ...deps,
    followers: [
      followDecisions,
      followAddresses,
      followItems,
      ...(deliveries ? [followDeliveries(events)] : []),
    ],
  })

  async function sql<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    const { rows } = await parts.pools.single({ name: '', text, values })
    return rows as Row[] // the caller names the shape it selects
  }

  await knowStrangers({ parts, sql })
  return {
    app,
    clock,
    rail,
    shops,
    kinds,
    texts,
    sql,
    newAccount: (name) => newAccount(parts, name),
    async rollKey({ accountId }, keyId, overlapMs) {
      const tenant = { accountId, mode: 'test' } as const
      const { key, token } = await runAs(parts, { tenant, actor: { type: 'system', id: 'cli' } }, (ctx) =>
        rollKey(ctx, keyId, { overlapMs }),
      )
      // Otherwise the old secret would work for another second.
      parts.hints.publish(topics.keys)
      return { id: key.id, agentId: key.agent_id, token }
    },
    send: ({ method = 'POST', path, key, body, idempotencyKey = null }) =>
      client.rest({
        method,
        path,
        key,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(idempotencyKey === null ? {} : { headers: { 'idempotency-key': idempotencyKey } }),
      }),
    async work() {
      let done = 0
      for (;;) {
        let round = 0
        // Where a cart and its order are over at the same moment, either may come first. Here the cart does, always.
        for (const { kind } of kinds) round += await worker.runOnce(kind)
        round += await relay.runOnce()
        if (round === 0) return done
        done += round
      }
    },
    tell: () => relay.runOnce(),
    workOnly: (kind) => worker.runOnce(kind),
    async nextDue(until) {
      const [row] = await sql<{ at: Date | null }>(
        `select min(due_at) as at from (
           select due_at from purchase_intents where due_at <= $1
           union all select due_at from carts where due_at <= $1
           union all select due_at from orders where due_at <= $1
           union all select due_at from order_refunds where due_at <= $1) as due
         where due_at < 'infinity'`,
        [until],
      )
      return row?.at ?? null
    },
    async abandon() {
      const tables = [
        'purchase_intents',
        'carts',
        'orders',
        'order_refunds',
        'quotes',
        'due_deliveries',
        'onboarding_links',
        'promotions',
        'integration_checks',
        'domain_verifications',
      ]
      for (const table of [...tables, 'promotion_redemptions'])
        await sql(`update ${table} set due_at = 'infinity', lease_until = null where due_at is not null`)
    },
    complaints: () => complaints.splice(0),
    async stop() {
      await relay.stop()
      await client.close()
      await egress.close()
      await app.stop()
    },
  }
}
