import { setTimeout as delay } from 'node:timers/promises'
import { advanceTestClock } from '../../../src/platform/clock/test-clock.ts'
import type { CrashPoint } from '../../../src/platform/faults/faults.ts'
import { patience, patientMs } from '../../gate/pace.ts'
import { createTestDatabase, type TestServer } from '../../harness/database.ts'
import { differences, readLedgers } from '../../harness/live-ledger.ts'
import { stripeSimulator } from '../../harness/stripe.ts'
import { queryStored } from '../load/query-stored.ts'
import { relayRest } from '../relay-rest.ts'
import type { Tally } from '../suite.ts'
import { bodyOf, type Service, startService } from '../whole-product.ts'
import { openLiveBuyers } from './live-buyers.ts'
import { type LiveSellers, openLiveSellers } from './live-sellers.ts'
import { liveSettings, type StripeProcess, startStripeProcess } from './stripe-process.ts'

/** Purchases of live mode by what happens to them, and how each ends when no process dies. */
const endings = {
  bought: 'succeeded',
  rejected: 'failed',
  /** Bought, and then its merchant gives part of it back. */
  refunded: 'succeeded',
  /** Stripe holds the money, and its answer is lost. */
  lost: 'succeeded',
} as const

type Kind = keyof typeof endings

/** What passes the point in live mode. */
const passing: Partial<Record<CrashPoint, Kind>> = {
  'authorize.before': 'bought',
  'authorize.after': 'rejected',
  'ask.before': 'lost',
  'ask.after': 'lost',
  'capture.before': 'bought',
  'capture.after': 'bought',
  'void.before': 'rejected',
  'void.after': 'rejected',
  'order_refund.before': 'refunded',
  'order_refund.after': 'refunded',
  'claim.after': 'bought',
  'step.commit.before': 'bought',
  'step.commit.after': 'bought',
  'relay.read': 'bought',
  'relay.commit.before': 'bought',
  'relay.commit.after': 'bought',
  'route.decided': 'bought',
}

export type LiveCase = { readonly point: CrashPoint; readonly kind: Kind; readonly hit: number }

/** One of the first passings of a point that every step passes, the only one of another. */
export function liveCases(hitOf: (point: CrashPoint) => readonly number[]): LiveCase[] {
  return Object.entries(passing).flatMap(([name, kind]) => {
    const point = name as CrashPoint // a key of the table
    return hitOf(point).map((hit) => ({ point, kind, hit }))
  })
}

const price = 2_500
const deathPatienceMs = 40_000
const heirsMax = 3
const heirPatienceMs = 12_000
/** Longer than a lease, and longer than a journaled call can take to arrive. */
const leaseSeconds = 45

type World = {
  service: Service
  stripe: ReturnType<typeof stripeSimulator>
  sellers: LiveSellers
  profile: string
}

/** A worker of live mode dies at each of these points; another one takes over, and Stripe remembers what the purchase says. */
export async function dieInLiveMode(
  server: TestServer,
  cases: readonly LiveCase[],
  tally: Tally,
): Promise<void> {
  const database = await createTestDatabase({ server })
  const stripe = await startStripeProcess()
  try {
    await dieAtEach({ databaseUrl: database.url, stripe }, cases, tally)
  } finally {
    await stripe.stop()
    await database.drop()
  }
}

async function dieAtEach(
  { databaseUrl, stripe }: { databaseUrl: string; stripe: StripeProcess },
  cases: readonly LiveCase[],
  tally: Tally,
): Promise<void> {
  const settings = liveSettings(stripe)
  const service = await startService({ workers: 0, testClock: true, databaseUrl, mode: 'live', settings })
  try {
    const sellers = await openLiveSellers(service, price)
    const { attended: profile } = await openLiveBuyers(service, stripe)
    sellers.answer([service.ready.base_url])
    const simulator = stripeSimulator({ stripeUrl: stripe.url, controlToken: stripe.controlToken })
    for (const one of cases) {
      const broken = await dieAt({ service, stripe: simulator, sellers, profile }, one)
      if (broken.length === 0) tally.pass()
      for (const what of broken) tally.fail(`live ${one.point}:${one.hit}: ${what}`)
    }
    await sellers.stop()
    await relayRest(service, tally)
    await service.audit(tally)
    tally.figure('deaths in live mode', cases.length)
  } finally {
    await service.stop()
  }
}

async function dieAt(world: World, { point, kind, hit }: LiveCase): Promise<string[]> {
  const { service, stripe } = world
  const { id, goOn } = await prepare(world, kind)
  const doomed = service.runWorker({ PROKURA_FAULTS: 'on', PROKURA_CRASH_AT: `${point}:${hit}` })
  await goOn()
  const end = AbortSignal.timeout(patientMs(deathPatienceMs))
  end.addEventListener('abort', () => doomed.kill())
  const hasDied = (await doomed.ended) === 'SIGKILL' && !end.aborted
  await stripe.clearFaults()
  const open = await inherit(world, id)
  const { status } = await service.read(id)
  return [
    ...(hasDied ? [] : ['the worker did not die there']),
    ...open,
    ...(status === endings[kind] ? [] : [`${kind} ${id} ended ${status} instead of ${endings[kind]}`]),
  ]
}

type Prepared = { id: string; goOn: () => Promise<void> }

async function prepare(world: World, kind: Kind): Promise<Prepared> {
  const { service, sellers, stripe, profile } = world
  const post = async (path: string, body: object, status: number) => {
    const request = { method: 'POST', path, key: service.person, body: JSON.stringify(body) }
    return bodyOf(await service.client().rest(request), status)
  }
  const url = kind === 'rejected' ? sellers.items.rejected : sellers.items.ok
  const item = { url, quantity: 1, expected_amount: price, expected_currency: 'USD' }
  const id = String((await post('/v1/purchase_intents', { profile_id: profile, items: [item] }, 201)).id)
  const approve = async () => void (await post(`/v1/purchase_intents/${id}/approve`, { approve: true }, 200))
  if (kind === 'lost') await stripe.fault('confirm', 'lose_answer')
  if (kind !== 'refunded') return { id, goOn: approve }
  const worker = await service.runRole('worker')
  await approve()
  const order = await orderOf(service, id)
  worker.kill('SIGTERM')
  await worker.ended
  const refund = { amount: 100, reason: 'A scratch' }
  return {
    id,
    goOn: async () => void (await post(`/v1/merchant/orders/${order}/refunds`, refund, 201)),
  }
}

async function orderOf({ ready }: Service, id: string): Promise<string> {
  const wait = patience(deathPatienceMs)
  for (;;) {
    const [bought] = await queryStored<{ order_row_id: string }>(
      ready.database_url,
      `select order_row_id from carts where intent_id = $1 and status = 'succeeded' and due_at is null`,
      [id],
    )
    if (bought) return bought.order_row_id
    if (wait.isOver()) throw new Error(`${id} was never bought`)
    await delay(50)
  }
}

/** Has other workers end it. Answers how Stripe's memory differs from ours. */
async function inherit({ service, stripe }: World, id: string): Promise<string[]> {
  const { database_url: databaseUrl } = service.ready
  let open: string[] = []
  for (let heirs = 0; heirs < heirsMax; heirs++) {
    // A dead worker holds its leases until they end. The clock is moved past their end while no worker is left that could be working.
    await advanceTestClock(databaseUrl, leaseSeconds)
    const heir = await service.startRole('worker')
    const wait = patience(heirPatienceMs)
    do {
      const sql = <Row>(text: string) => queryStored(databaseUrl, text) as Promise<Row[]> // the caller names the shape
      const ledgers = await readLedgers({ sandbox: { stripeUrl: stripe.url }, sql })
      const { status } = await service.read(id)
      const isOver = status === 'succeeded' || status === 'failed'
      open = [...(isOver ? [] : [`${id} is still ${status}`]), ...differences(ledgers, (amount) => amount)]
      if (open.length > 0) await delay(100)
    } while (open.length > 0 && !wait.isOver())
    await heir.stop(8000)
    if (open.length === 0) return []
  }
  return open
}
