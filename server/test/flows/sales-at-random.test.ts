import { afterAll, beforeAll, expect, test } from 'vitest'
import { followers } from '../../src/composition.ts'
import type { Tenant } from '../../src/contract/context.ts'
import type {
  ClosableCall,
  PaymentRail,
  RailAnswer,
  RailCharge,
  RailMemory,
  RailObject,
} from '../../src/domain/buying/rails/port.ts'
import { railsByMode } from '../../src/domain/buying/rails/rails.ts'
import { saleInvariants } from '../../src/domain/selling/sales/invariants.sql.ts'
import { type SaleInstrument, startSale } from '../../src/domain/selling/sales/public.ts'
import { saleWork } from '../../src/domain/selling/sales/work.ts'
import { orderWork } from '../../src/domain/trade/orders/work.ts'
import { runAs } from '../../src/platform/calls/run-as.ts'
import { createRelay } from '../../src/platform/events/relay.ts'
import { noFaults } from '../../src/platform/faults/faults.ts'
import { silentLog } from '../../src/platform/logs/logs.ts'
import { createMetrics } from '../../src/platform/metrics/metrics.ts'
import { Secret } from '../../src/platform/secrets/secret.ts'
import { createWorker } from '../../src/platform/work/worker.ts'
import { startTestApp, type TestApp } from '../harness/app.ts'
import { brokenInvariants } from '../harness/broken-invariants.ts'
import { type StoppedClock, stopClock } from '../harness/stopped-clock.ts'
import { seededRandom } from '../suites/random.ts'

let app: TestApp
let clock: StoppedClock
let tenant: Tenant
beforeAll(async () => {
  app = await startTestApp({ testClock: true, limits: { requests: 10_000 } })
  clock = await stopClock(app.parts.pools, new Date('2026-03-01T12:00:00Z'))
  tenant = { accountId: app.account.accountId, mode: 'test' }
  await app.post('/v1/merchant', { name: 'Shop', currency: 'USD' })
})
afterAll(() => app.stop())

type Held = { -readonly [K in keyof RailObject]: RailObject[K] } & { key: string; saleAmount: bigint }

const token = {
  id: 'tok_00000000000000000000000000',
  buyer: { accountId: 'acct_00000000000000000000000000', mode: 'test' },
  cartId: 'cart_00000000000000000000000000',
  acceptor: 'shop.example',
  credentialReference: 'credential',
} as const

const sharedToken = 'spt_random'

/** A third of the sales is paid in each way. */
function instrumentOf(amount: bigint): SaleInstrument {
  if (amount % 3n === 0n) return { kind: 'test_card', card: 'visa_auto_approved' }
  if (amount % 3n === 1n) return { kind: 'payment_token', token }
  return { kind: 'shared_payment_token', token: new Secret(sharedToken) }
}

/**
 * A rail that loses requests and answers, is busy, answers questions vaguely, and takes calls minutes after they were sent. It keeps what a
 * rail promises: the same key has one effect, and a key that was closed has none.
 */
function chaoticRail(random: () => number) {
  const made = new Map<string, Held>()
  const captures = new Map<string, bigint[]>()
  const closed = new Set<string>()
  const declined = new Set<string>()
  /** What was charged in the way of another instrument. */
  const strayed: string[] = []
  let late: (() => void)[] = []
  const history = new Map<string, string[]>()
  const note = (key: string, what: string) => {
    const [sale = '', ...step] = key.split(':')
    history.set(sale, [...(history.get(sale) ?? []), `${step.join(':')} ${what}`])
  }

  function take(key: string, effect: () => RailAnswer): RailAnswer {
    const fate = random()
    note(
      key,
      fate < 0.1
        ? 'not sent'
        : fate < 0.2
          ? 'busy'
          : fate < 0.35
            ? 'lost'
            : fate < 0.5
              ? 'late'
              : fate < 0.65
                ? 'answer lost'
                : 'answered',
    )
    if (fate < 0.1) return { kind: 'not_sent', retryable: true }
    if (fate < 0.2) return { kind: 'not_now', reason: 'busy', retryAfterSeconds: random() < 0.5 ? null : 5 }
    if (fate < 0.35) return { kind: 'unknown' }
    if (fate < 0.5) {
      late.push(() => {
        note(key, closed.has(key) ? 'arrives closed' : 'arrives')
        if (!closed.has(key)) effect()
      })
      return { kind: 'unknown' }
    }
    if (closed.has(key)) return { kind: 'refused', refusal: { code: 'closed', declineCode: null } }
    const answer = effect()
    return fate < 0.65 ? { kind: 'unknown' } : answer
  }
  const holdNamed = (reference: string) => [...made.values()].find((one) => one.reference === reference)
  const done = (hold: Held): RailAnswer => ({ kind: 'done', value: { ...hold } })

  function authorize(key: string, amount: bigint, currency: string): RailAnswer {
    const known = made.get(key)
    if (known) return done(known)
    const hold: Held = {
      key,
      saleAmount: amount,
      reference: `hold ${key}`,
      status: 'authorized',
      amount,
      capturedAmount: 0n,
      currency,
      captureReference: null,
    }
    made.set(key, hold)
    return done(hold)
  }
  function capture(reference: string, amount: bigint): RailAnswer {
    const hold = holdNamed(reference)
    if (!hold) throw new Error('a capture of nothing')
    if (hold.status === 'voided') return refuse('authorization_voided')
    if (hold.status === 'captured') return done(hold)
    if (amount > hold.amount) return refuse('over_authorized_amount')
    Object.assign(hold, {
      status: 'captured',
      capturedAmount: amount,
      captureReference: `capture ${reference}`,
    })
    captures.set(reference, [...(captures.get(reference) ?? []), amount])
    return done(hold)
  }
  function release(reference: string): RailAnswer {
    const hold = holdNamed(reference)
    if (!hold) throw new Error('a release of nothing')
    if (hold.status === 'captured') return refuse('already_captured')
    Object.assign(hold, { status: 'voided' })
    return done(hold)
  }
  function remembered(key: string): RailMemory {
    if (random() < 0.2) return { kind: 'unknown' }
    if (random() < 0.1) return { kind: 'not_now', reason: 'busy', retryAfterSeconds: null }
    const [sale, step] = key.split(':')
    const hold = made.get(`${sale}:charge`)
    const isMade =
      step === 'charge' ? hold : step === 'capture' ? hold?.status === 'captured' : hold?.status === 'voided'
    if (hold && isMade) {
      // Its own closing has released it.
      if (step === 'charge' && hold.status === 'voided') return { kind: 'closed' }
      return { kind: 'done', value: { ...hold } }
    }
    if (declined.has(key)) return { kind: 'refused', refusal: { code: 'declined', declineCode: null } }
    return closed.has(key) ? { kind: 'closed' } : { kind: 'not_found' }
  }

  const refuse = (code: string): RailAnswer => ({ kind: 'refused', refusal: { code, declineCode: null } })
  const charge = ({ key, amount, currency }: Pick<RailCharge, 'key' | 'amount' | 'currency'>) =>
    take(key, () => {
      if (random() < 0.1 && !made.has(key)) declined.add(key)
      return declined.has(key) ? refuse('declined') : authorize(key, amount, currency)
    })
  const rail: PaymentRail = {
    authorize: async (input) => {
      if (instrumentOf(input.amount).kind !== 'test_card') strayed.push(input.key)
      return charge(input)
    },
    chargeCredential: async (input) => {
      const { amount, credential, merchant } = input
      const isOurs = credential === token.credentialReference && merchant === token.acceptor
      if (instrumentOf(amount).kind !== 'payment_token' || !isOurs) strayed.push(input.key)
      return charge(input)
    },
    capture: async ({ key, reference, amount }) => take(key, () => capture(reference, amount)),
    void: async ({ key, reference }) => take(key, () => release(reference)),
    get: async (_, reference) => {
      const hold = holdNamed(reference)
      return hold && random() > 0.3 ? { kind: 'done', value: { ...hold } } : { kind: 'unknown' }
    },
    ask: async (key) => {
      const said = remembered(key)
      note(key, `asked: ${said.kind}`)
      return said
    },
    close: async (sent: ClosableCall) => {
      const { key } = sent.input
      note(key, 'closed')
      if (random() < 0.2) return { kind: 'unknown' }
      closed.add(key)
      const hold = made.get(key)
      if (sent.step === 'capture') {
        const held = holdNamed(sent.input.reference)
        if (held?.status === 'captured') return { kind: 'done', value: { ...held } }
        if (held) held.status = 'voided'
        return { kind: 'closed' }
      }
      if (hold?.status === 'authorized') hold.status = 'voided'
      return random() < 0.1 ? { kind: 'unknown' } : { kind: 'closed' }
    },
    issueCredential: () => Promise.reject(new Error('nobody asked for this')),
    revoke: () => Promise.reject(new Error('nobody asked for this')),
    refund: () => Promise.reject(new Error('nobody asked for this')),
  }
  /** The same money by another door, which knows what it has made, and no key. */
  const shared: PaymentRail = {
    ...rail,
    authorize: () => Promise.reject(new Error('a card went to the rail of shared tokens')),
    chargeCredential: async (input) => {
      const isShared = instrumentOf(input.amount).kind === 'shared_payment_token'
      if (!isShared || input.credential !== sharedToken) strayed.push(input.key)
      return charge(input)
    },
    capture: async (input, call) => {
      if (instrumentOf(holdNamed(input.reference)?.saleAmount ?? 0n).kind !== 'shared_payment_token')
        strayed.push(input.key)
      return await rail.capture(input, call)
    },
    ask: async (key, call, sent) => {
      if (sent?.input.key !== key) throw new Error('a question without its call')
      return await rail.ask(key, call, sent)
    },
  }
  return {
    rail,
    shared,
    made,
    history,
    captures,
    strayed,
    deliverLate() {
      const due = late
      late = []
      for (const arrive of due) arrive()
    },
  }
}

test.each(Array.from({ length: 8 }, (_, index) => index + 1))(
  'whatever a rail does, each sale moves money once or not at all (seed %i)',
  async (seed) => {
    const random = seededRandom(seed)
    const chaos = chaoticRail(random)
    const rails = railsByMode(
      { test: [{ name: 'sandbox', rail: chaos.rail, circuit: null }] },
      { test: [{ name: 'stripe', rail: chaos.shared, circuit: null }] },
    )
    const parts = { ...app.parts, metrics: createMetrics(), log: silentLog(), faults: noFaults }
    const worker = createWorker({ ...parts, kinds: [saleWork(rails), orderWork] })
    const relay = createRelay({ ...parts, followers })
    const sold = await Promise.all(Array.from({ length: 25 }, (_, index) => sell(100n + BigInt(index))))
    const isOver = `state in ('captured', 'released', 'declined', 'unpaid')`
    for (let round = 0; round < 400; round++) {
      await worker.runOnce('sales')
      await relay.runOnce()
      await answerSome(random)
      await relay.runOnce()
      if (random() < 0.5) chaos.deliverLate()
      await clock.advance(1000 * (1 + Math.floor(random() * 40)))
      const [open] = await app.sql<{ count: number }>(
        `select count(*)::int as count from sales where not (${isOver}) and id = any($1)`,
        [sold.map(({ id }) => id)],
      )
      if (open?.count === 0) break
    }
    chaos.deliverLate()
    const rows = await app.sql<{
      id: string
      state: string
      amount: string
      captured_amount: string
      hold_reference: string | null
    }>(`select id, state, amount, captured_amount, hold_reference from sales where id = any($1)`, [
      sold.map(({ id }) => id),
    ])
    const told = rows.map(({ id, state, captured_amount }) => ({
      id,
      state,
      history: chaos.history.get(id),
      // What the rail's own memory says about the sale.
      captured: chaos.captures.get(`hold ${id}:charge`)?.map(Number) ?? [],
      held: chaos.made.get(`${id}:charge`)?.status === 'authorized',
      expected: state === 'captured' ? [Number(captured_amount)] : [],
      isOver: ['captured', 'released', 'declined', 'unpaid'].includes(state),
    }))
    expect(told.filter(({ isOver: over }) => !over)).toEqual([])
    expect(told.filter(({ held }) => held)).toEqual([])
    for (const { captured, expected } of told) expect(captured).toEqual(expected)
    expect(chaos.strayed).toEqual([])
    const [kept] = await app.sql<{ sealed: number; told: number }>(
      `select count(sealed_token)::int as sealed, (count(*) filter (where s::text like '%${sharedToken}%'))::int as told
       from sales s where id = any($1)`,
      [sold.map(({ id }) => id)],
    )
    expect(kept).toEqual({ sealed: 0, told: 0 })
    // A world in which nothing happens would prove nothing.
    expect(new Set(rows.map(({ state }) => state)).size).toBeGreaterThan(1)
    expect(await brokenInvariants(app, saleInvariants)).toEqual([])
  },
)

function sell(amount: bigint) {
  return runAs(app.parts, { tenant, actor: { type: 'system', id: 'test' } }, async (ctx) =>
    startSale(ctx, {
      id: ctx.newId('sal'),
      merchant: { name: 'Shop', slug: null, domain: 'shop.example' },
      buyer: { kind: 'payer', profile_url: null, source: 'did:web:agent.example' },
      lineItems: [],
      amounts: { subtotal: amount, fulfillment: 0n, tax: 0n, discount: 0n },
      taxBasisPoints: 0,
      currency: 'USD',
      customer: { name: 'Ada', email: 'ada@example.com', phone: null },
      shippingAddress: null,
      promotionUses: [],
      instrument: instrumentOf(amount),
    }),
  )
}

async function answerSome(random: () => number): Promise<void> {
  const waiting = await app.sql<{ id: string }>(
    `select id from orders where buyer is not null and status = 'awaiting_confirmation' order by id`,
  )
  for (const { id } of waiting) {
    const outcome = random()
    if (outcome < 0.6) continue
    const body =
      outcome < 0.85
        ? { outcome: 'confirmed', confirmation_reference: id }
        : { outcome: 'rejected', note: 'No.' }
    await app.post(`/v1/merchant/orders/${id}/responses`, body)
  }
}
