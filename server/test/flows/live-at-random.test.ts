import { afterAll, beforeAll, expect, test } from 'vitest'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import type { CrashPoint } from '../../src/platform/faults/faults.ts'
import { threeDecimal, toldInHundredths, zeroDecimal } from '../fixtures/stripe-currencies.ts'
import { patience } from '../gate/pace.ts'
import { tenthInGate } from '../gate/tenth-in-gate.ts'
import type { Answer } from '../harness/app.ts'
import { type Buyer, type Buying, type Purchase, startBuying } from '../harness/buying.ts'
import { startDoomedWorker } from '../harness/doomed-worker.ts'
import { newLiveBuyer } from '../harness/live-buyers.ts'
import { differences, type Ledgers, readLedgers } from '../harness/live-ledger.ts'
import { type NativeShop, openNativeShop, payTo } from '../harness/native-shops.ts'
import { stripeSimulator } from '../harness/stripe.ts'
import { seededRandom } from '../suites/random.ts'

/**
 * Histories of live mode: buyers, merchants, banks, the operator's day and Stripe itself do whatever they can, at the same time, while workers
 * die. When everything is over, Stripe's memory and ours are the same to the minor unit, and nothing is held.
 */
let buying: Buying
let stripe: ReturnType<typeof stripeSimulator>
const shops: (NativeShop & { currency: string; price: number })[] = []
const buyers: Buyer[] = []

/** The last one cannot be said to Stripe. */
const prices = [
  ['USD', 1_000],
  ['USD', 2_599],
  ['EUR', 1_000],
  ['JPY', 1_500],
  ['KWD', 12_340],
  ['KWD', 12_345],
] as const

const cards = [
  'pm_card_visa',
  'pm_card_mastercard',
  'pm_card_amex',
  'pm_card_visa_debit',
  'pm_card_chargeCustomerFail',
  'pm_card_authenticationRequired',
  'pm_card_authenticationRequiredOnSetup',
  'pm_card_authenticationRequiredChargeDeclinedInsufficientFunds',
]

beforeAll(async () => {
  // Little enough for the day to end in dollars.
  const liveCapDaily = new Map([
    ['USD', 25_000n],
    ['EUR', 100_000n],
    ['JPY', 100_000n],
    ['KWD', 1_000_000n],
  ])
  buying = await startBuying({ live: true, testClock: true, liveCapDaily })
  await installTestClock(buying.app.databaseUrl)
  stripe = stripeSimulator(buying.sandbox)
  await buying.stopWorker()
  for (const [index, [currency, price]] of prices.entries()) {
    const shop = await openNativeShop(buying, 'live', { currency, price })
    if (index % 2 === 0) await payTo(buying, shop.seller, `acct_seller_${index}`)
    shops.push({ ...shop, currency, price })
  }
  for (const card of cards) buyers.push(await newLiveBuyer(buying, card))
})
afterAll(() => buying?.stop())

type Going = { buyer: Buyer; id: string }

/** Whose choices a history follows. */
type Chance = {
  often(share: number): boolean
  pick<T>(list: readonly T[]): T
  upTo(most: number): number
}

function chanceOf(seed: number): Chance {
  const random = seededRandom(seed)
  const upTo = (most: number) => 1 + Math.floor(random() * most)
  return {
    often: (share) => random() < share,
    pick: (list) => list[upTo(list.length) - 1] as (typeof list)[number], // never out of the list
    upTo,
  }
}

async function ask(path: string, body: object, key: string): Promise<Answer> {
  const answer = await buying.app.post(path, body, { key })
  expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(500)
  return answer
}

/** Something at one to three merchants who sell in the same currency. */
async function begin({ pick, upTo, often }: Chance): Promise<Going | null> {
  const buyer = pick(buyers)
  const first = pick(shops)
  const others = shops.filter((shop) => shop.currency === first.currency && shop !== first)
  const items = [first, ...others.slice(0, often(0.4) ? 1 : 0)].map(({ url, price, currency }) => ({
    url,
    quantity: upTo(2),
    expected_amount: price,
    expected_currency: currency,
  }))
  const made = await ask('/v1/purchase_intents', { profile_id: buyer.profileId, items }, buyer.key)
  if (made.status === 409 && made.body.detail.code === 'frozen') return null
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const { id } = made.body
  await ask(`/v1/purchase_intents/${id}/approve`, { approve: true }, buyer.key)
  return { buyer, id }
}

const operations = ['create', 'confirm', 'capture', 'cancel', 'read', 'search', 'refund', 'list_refunds']
const faults = [
  'lose_answer',
  'drop_request',
  'fail',
  'fail_after',
  'status=409',
  'status=429',
  'status=429;retry_after=2',
  'delay=20',
]
const points: readonly CrashPoint[] = [
  ...(['claim.after', 'step.commit.before', 'step.commit.after', 'route.decided'] as const),
  ...(['authorize', 'capture', 'void', 'close', 'ask', 'order_refund'] as const).flatMap(
    (call) => [`${call}.before`, `${call}.after`] as const,
  ),
]

async function pass(seconds: number): Promise<void> {
  buying.passInProcess(seconds)
  await advanceTestClock(buying.app.databaseUrl, seconds)
  await stripe.forward(seconds)
}

/** Everybody does something about a purchase, or nothing. */
async function act(chance: Chance, { buyer, id }: Going): Promise<unknown> {
  const { often, pick, upTo } = chance
  const path = `/v1/purchase_intents/${id}`
  const intent = await buying.read(buyer, id)
  if (often(0.02)) return ask(`${path}/cancel`, {}, buyer.key)
  if (intent.status === 'failed') return often(0.3) ? ask(`${path}/retry`, {}, buyer.key) : null
  if (intent.status === 'awaiting_approval') {
    const page = (intent.next_action as { type: string; url: string } | null) ?? null
    if (page?.type !== 'verify_payment') return ask(`${path}/approve`, { approve: true }, buyer.key)
    return often(0.6) ? stripe.answerAtBank(page.url, often(0.8) ? 'complete' : 'fail') : null
  }
  const orders = await ordersOf(intent)
  return Promise.all(
    orders.map(async ({ order, key, status }) => {
      const isOpen = status === 'in_progress'
      if (!isOpen && status !== 'succeeded') return
      if (!isOpen && !often(0.3)) return
      if (isOpen) {
        if (!often(0.7)) return
        const said = often(0.8)
          ? { outcome: 'confirmed', confirmation_reference: `C-${order}` }
          : { outcome: 'rejected', note: 'No' }
        await Promise.all(
          Array.from({ length: often(0.1) ? 2 : 1 }, () =>
            ask(`/v1/merchant/orders/${order}/responses`, said, key),
          ),
        )
        return
      }
      const amount = pick([10, 100, 500, upTo(40) * 10])
      await Promise.all(
        Array.from({ length: upTo(2) }, () => ask(`/v1/merchant/orders/${order}/refunds`, { amount }, key)),
      )
    }),
  )
}

async function ordersOf({ id }: Purchase): Promise<{ order: string; key: string; status: string }[]> {
  const rows = await buying.sql<{ order: string; domain: string; status: string }>(
    'select order_row_id as order, merchant_domain as domain, status from carts where intent_id = $1 and order_row_id is not null',
    [id],
  )
  return rows.map(({ order, domain, status }) => ({
    order,
    status,
    key: shops.find((shop) => shop.domain === domain)?.key ?? '',
  }))
}

/** One or two workers do what is due, or one dies at it. */
async function work({ often, pick, upTo }: Chance, dies: boolean): Promise<void> {
  if (!dies) {
    await Promise.all(Array.from({ length: often(0.3) ? 2 : 1 }, () => buying.workWith({})))
    return
  }
  const doomed = startDoomedWorker(buying, pick(points), { hit: upTo(3) })
  await Promise.race([doomed.ended, untilNothingIsDue()])
  doomed.kill()
  await doomed.ended
}

async function untilNothingIsDue(): Promise<void> {
  const wait = patience(8_000)
  for (let rows = [{}]; rows.length > 0 && !wait.isOver(); )
    rows = await buying.sql(
      `select 1 from carts where due_at <= prokura_now() and lease_until is null
       union all select 1 from order_refunds where due_at <= prokura_now() and lease_until is null`,
    )
}

async function freeze(is: 'freeze' | 'unfreeze'): Promise<void> {
  const { secret_live } = buying.app.account.keys
  expect((await ask(`/v1/controls/${is}`, { target: { type: 'account' } }, secret_live)).status).toBe(200)
}

/** Faults end, and time goes on until nobody has anything left to do. */
async function settle(going: readonly Going[]): Promise<void> {
  await stripe.clearFaults()
  await freeze('unfreeze')
  for (let round = 0; round < 60; round++) {
    await buying.workWith({})
    await buying.relayed()
    const left = await buying.sql<{ id: string; status: string }>(
      `select i.id, i.status from purchase_intents i where i.mode = 'live' and i.status not in ('succeeded', 'failed', 'cancelled', 'declined')
       union all select c.id, c.status::text from carts c where c.mode = 'live' and c.due_at is not null
       union all select r.id, r.status from order_refunds r where r.mode = 'live' and r.status = 'pending'`,
    )
    if (left.length === 0) return
    if (round === 20)
      // What still waits for its approval is not wanted any more.
      for (const { buyer, id } of going) await ask(`/v1/purchase_intents/${id}/cancel`, {}, buyer.key)
    await pass(round < 10 ? 300 : 7_200)
  }
}

function ofStripe(amount: bigint, currency: string): bigint {
  if (toldInHundredths.includes(currency)) return amount * 100n
  // Of those that are sold here both count the same.
  expect([...zeroDecimal, ...threeDecimal, 'USD', 'EUR']).toContain(currency)
  return amount
}

const from = Date.now() % 1_000_000

test.each(Array.from({ length: tenthInGate(20) }, (_, index) => from + index))(
  'whatever happens, Stripe has charged what our rows say, and holds nothing (history %i)',
  async (seed) => {
    const chance = chanceOf(seed)
    await stripe.searchDelay(chance.pick([0, 60_000]))
    const going: Going[] = []
    for (let step = 0; step < 14; step++) {
      for (let count = chance.upTo(3); count > 1; count--)
        await stripe.fault(chance.pick(operations), chance.pick(faults))
      const isFrozen = chance.often(0.1)
      const [begun] = await Promise.all([
        Promise.all(step < 8 ? [begin(chance), begin(chance)] : []),
        work(chance, step % 7 === 6),
        isFrozen ? freeze('freeze') : null,
        ...going.map((one) => act(chance, one)),
      ])
      for (const one of begun) if (one !== null) going.push(one)
      if (isFrozen) await freeze('unfreeze')
      // Longer than any network holds money, while nobody works.
      await pass(chance.often(0.03) ? 5 * 86_400 : chance.pick([2, 30, 60, 120, 600]))
    }
    await settle(going)
    expect(differences(await readLedgers(buying), ofStripe)).toEqual([])
    buying.complaints()
    await buying.audit()
    expect(buying.app.bugs).toEqual([])
  },
)

type Payment = Ledgers['payments'][number]

/** What a fault would have left behind at Stripe of a payment that was captured for a merchant who is paid, and given back in part. */
const planted: readonly (readonly [string, (payment: Payment) => Payment[]])[] = [
  ['a cent more was taken', (one) => [{ ...one, received: one.received + 1 }]],
  ['the same was charged twice', (one) => [one, { ...one, id: 'pi_twice', refunds: [] }]],
  ['something is still held', (one) => [one, { ...one, held: 1, received: 0, refunds: [] }]],
  ['nothing was charged', () => []],
  ['somebody else has paid', (one) => [{ ...one, customer: 'cus_other' }]],
  ['somebody else was paid', (one) => [{ ...one, destination: null }]],
  ['a refund was made twice', (one) => [{ ...one, refunds: [...one.refunds, ...one.refunds] }]],
  ['a refund is not known', (one) => [{ ...one, refunds: one.refunds.slice(1) }]],
  [
    'a merchant kept what was given back',
    (one) => [{ ...one, refunds: one.refunds.map((refund) => ({ ...refund, isReversed: false })) }],
  ],
  ['no row knows of it', (one) => [one, { ...one, cart: 'pi_none/cart_none' }]],
]

test('the comparison notices what would be wrong', async () => {
  const { rows, payments } = await readLedgers(buying)
  expect(payments.filter(({ status }) => status === 'canceled')).not.toEqual([])
  const victim = payments.find(({ destination, refunds }) => destination !== null && refunds.length > 0)
  if (victim === undefined) throw new Error('the histories have given nothing back')
  for (const [what, plant] of planted) {
    const wrong = payments.flatMap((one) => (one === victim ? plant(one) : [one]))
    expect(differences({ rows, payments: wrong }, ofStripe), what).not.toEqual([])
  }
})
