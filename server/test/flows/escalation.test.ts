import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import { thirdInGate } from '../gate/tenth-in-gate.ts'
import { hasChromium } from '../harness/browser.ts'
import { type Buyer, type Buying, type Purchase, startBuying } from '../harness/buying.ts'
import { person } from '../harness/person.ts'
import { openStrangers } from '../harness/strangers.ts'

/** A UCP shop that wants its buyer at its page: the browser goes on there, with the cart that the shop has already. */
let buying: Buying
let strangers: ReturnType<typeof openStrangers>
let people = 0
let isPassing = false

async function newBuyer(): Promise<Buyer & { email: string }> {
  const email = `sent-on${++people}@example.com`
  const buyer = await buying.newBuyer('visa_auto_approved', undefined, { ...person, email })
  return { ...buyer, email }
}

type Wanted = { host?: string; quantity?: number; amount?: number; code?: string; more?: object }

async function buy(buyer: Buyer, path: string, wanted: Wanted = {}): Promise<Purchase> {
  const { host = 'ucp', amount = 2500, quantity = 1, code, more } = wanted
  const url = `https://${host}.shop.test/products/${path}`
  const preferences = { fulfillment: { max_fee_amount: 900 }, ...(code ? { promo_code: code } : {}) }
  return buying.buy(buyer, [{ url, amount, quantity }], { preferences, max_amount: 12_000, ...more })
}

/** Its end, or that it waits for a person. */
function ended(buyer: Buyer, { id }: { id: string }): Promise<Purchase> {
  const over = ['succeeded', 'failed', 'cancelled', 'awaiting_approval', 'awaiting_merchant_auth']
  return buying.until(buyer, id, ({ status, carts }) => {
    if (over.includes(status) && carts.length > 0) return true
    // One at a time: a busy database has no connections to spare.
    if (!isPassing) void passTime(id)
    return false
  })
}

async function passTime(id: string): Promise<void> {
  isPassing = true
  const [waits] = await buying.sql(
    `select 1 from carts where intent_id = $1 and due_at > prokura_now() and coalesce(lease_until, '-infinity') < prokura_now()`,
    [id],
  )
  if (waits) await advanceTestClock(buying.app.databaseUrl, 5)
  isPassing = false
}

/** What the shop testifies of this buyer: calls that change a checkout, and money, each with what came of it. */
async function testimonyOf(buyer: { email: string }) {
  const log = await strangers.log('ucp')
  const own = new Set(log.flatMap(({ email, cart }) => (email === buyer.email && cart ? [cart] : [])))
  const calls = log.flatMap(({ kind, result, cart }) =>
    kind === 'call' && cart !== null && own.has(cart) ? [result] : [],
  )
  const charges = log.flatMap(({ kind, result, amount, email }) =>
    kind === 'charge' && email === buyer.email ? [`${result} ${amount}`] : [],
  )
  const orders = (await strangers.orders('ucp')).filter(({ email }) => email === buyer.email)
  return { checkouts: [...own], calls, charges, orders }
}

const paid = (amount: number) => [`authorized ${amount}`, `captured ${amount}`]
const atCreate = ['create_checkout requires_escalation']
const atUpdate = ['create_checkout incomplete', 'update_checkout requires_escalation']

const bought: readonly [string, string, Wanted, { calls: string[]; total: number }][] = [
  ['at once', 'escalates-at-create', { quantity: 2 }, { calls: atCreate, total: 5_940 }],
  ['once it knows the address', 'escalates-at-update', {}, { calls: atUpdate, total: 3_240 }],
  ['at another host, to look it over', 'escalates-for-review', {}, { calls: atUpdate, total: 3_240 }],
  ['and asks for all of it again', 'escalates-forgetful', {}, { calls: atCreate, total: 3_240 }],
  ['with a code', 'escalates-at-update', { code: 'WELCOME10' }, { calls: atUpdate, total: 2_970 }],
]

type Unsold = { status: string; code?: string; said?: string }

const unsold: readonly [string, string, Wanted, Unsold][] = [
  ['holds something else there', 'escalates-swapped', {}, { status: 'failed', code: 'merchant_changed' }],
  [
    'is paid again each month there',
    'escalates-to-club',
    {},
    { status: 'failed', code: 'merchant_unsupported', said: 'It is a subscription.' },
  ],
  [
    'asks for more there than the purchase may cost',
    'escalates-dearer',
    { amount: 3_100, more: { max_amount: 3_400 } },
    { status: 'failed', code: 'max_amount_exceeded' },
  ],
  [
    'sends its buyer to somebody else',
    'escalates-elsewhere',
    {},
    { status: 'failed', code: 'merchant_unsupported', said: 'https://collect.evil.test/continue/chk_' },
  ],
  [
    'sends its buyer on without TLS',
    'escalates-in-plain',
    {},
    { status: 'failed', code: 'merchant_unsupported', said: 'http://ucp.shop.test/continue/chk_' },
  ],
  [
    'is not allowed for a browser',
    'escalates-at-create',
    { host: 'tools.ucp' },
    { status: 'failed', code: 'merchant_unsupported', said: 'https://tools.ucp.shop.test/continue/chk_' },
  ],
]

describe.runIf(hasChromium)('a UCP shop that wants its buyer at its page', () => {
  beforeAll(async () => {
    buying = await startBuying({ testClock: true, strangers: true, pages: true })
    await installTestClock(buying.app.databaseUrl)
    strangers = openStrangers(buying)
    await strangers.know('ucp.shop.test')
    await strangers.know('tools.ucp.shop.test', 'ucp')
  })
  afterAll(() => buying?.stop())

  test.each(thirdInGate(bought))(
    '%s sells there, once and with one checkout',
    async (_, path, wanted, { calls, total }) => {
      const buyer = await newBuyer()
      const end = await ended(buyer, await buy(buyer, path, wanted))
      const [cart] = end.carts
      expect(cart?.failure_reason).toBeNull()
      expect(cart).toMatchObject({
        status: 'succeeded',
        channel: 'browser',
        attempt_number: 1,
        actual_amount: total,
        route: {
          chosen: 'browser',
          excluded: [{ channel: 'ucp', why: 'The shop wants its buyer to go on at its page.' }],
        },
      })
      if (wanted.code) expect(cart).toMatchObject({ promo_code: { code: wanted.code, status: 'applied' } })
      const said = await testimonyOf(buyer)
      expect(said).toMatchObject({
        calls,
        charges: paid(total),
        checkouts: [expect.stringContaining('chk_')],
      })
      expect(said.orders).toMatchObject([{ cartId: said.checkouts[0], state: 'paid' }])
      expect(
        (await buying.eventTypes(buyer, end.id)).filter((type) => type === 'cart.rerouted'),
      ).toHaveLength(1)
      // Whoever has the address of the page has the cart.
      expect(JSON.stringify(end)).not.toContain('/continue/')
    },
  )

  test.each(thirdInGate(unsold))('%s: nothing is placed', async (_, path, wanted, { status, code, said }) => {
    const buyer = await newBuyer()
    const end = await ended(buyer, await buy(buyer, path, wanted))
    const failure = end.carts[0]?.failure_reason as { code: string; merchant_message?: string } | null
    expect([end.status, failure?.code]).toEqual([status, code])
    if (said) expect(failure?.merchant_message).toContain(said)
    const { charges, orders, calls, checkouts } = await testimonyOf(buyer)
    expect([charges, orders, checkouts.length]).toEqual([[], [], 1])
    expect(calls).not.toContain('cancel_checkout canceled')
  })

  test('a higher price there is a question, and the answer is bought at the same page', async () => {
    const buyer = await newBuyer()
    const asked = await ended(buyer, await buy(buyer, 'escalates-dearer'))
    expect(asked).toMatchObject({ status: 'awaiting_approval', carts: [{ offer: { total: 3_888 } }] })
    expect(await testimonyOf(buyer)).toMatchObject({ charges: [], orders: [] })
    const path = `/v1/purchase_intents/${asked.id}/approve`
    const approved = await buying.app.post(path, { approve: true }, { key: buyer.key })
    expect(approved.status).toBe(200)
    const end = await ended(buyer, asked)
    expect(end).toMatchObject({ status: 'succeeded', actual_amount: 3_888 })
    const said = await testimonyOf(buyer)
    expect(said).toMatchObject({ calls: atUpdate, charges: paid(3_888), orders: [{}] })
    expect(said.checkouts).toHaveLength(1)
  })

  test('another worker goes on at the page where the first one was lost', async () => {
    const buyer = await newBuyer()
    const first = buying.faults.pause('offer.before')
    const intent = await buy(buyer, 'escalates-at-update')
    await first.reached
    const atPage = buying.faults.pause('offer.before')
    first.resume()
    await atPage.reached
    await advanceTestClock(buying.app.databaseUrl, 60)
    const heir = buying.startWorker()
    const end = await ended(buyer, intent)
    atPage.resume()
    expect(end).toMatchObject({ status: 'succeeded', carts: [{ channel: 'browser', attempt_number: 1 }] })
    await heir.stop()
    const said = await testimonyOf(buyer)
    expect(said).toMatchObject({ calls: atUpdate, charges: paid(3_240), orders: [{}] })
  })

  test('what the shop writes about the order is shown, and nothing is left open', async () => {
    const buyer = await newBuyer()
    const end = await ended(buyer, await buy(buyer, 'escalates-at-create'))
    await strangers.days('ucp', 1)
    const order = async () =>
      (await buying.app.get(`/v1/orders/${end.carts[0]?.order}`, { key: buyer.key })).body
    await expect.poll(order, { interval: 20 }).toMatchObject({ channel: 'browser', status: 'fulfilling' })
    await advanceTestClock(buying.app.databaseUrl, 3_700)
    await buying.settled()
    await buying.audit()
  })
})
