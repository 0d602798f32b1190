import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import { type Buyer, type Buying, type Purchase, startBuying } from '../harness/buying.ts'
import { openStrangers } from '../harness/strangers.ts'

let buying: Buying
let strangers: ReturnType<typeof openStrangers>
let buyer: Buyer
beforeAll(async () => {
  buying = await startBuying({ testClock: true, strangers: true })
  await installTestClock(buying.app.databaseUrl)
  strangers = openStrangers(buying)
  buyer = await buying.newBuyer()
  for (const host of ['ucp', 'tools.ucp', 'old.ucp', 'elsewhere.ucp'])
    await strangers.know(`${host}.shop.test`)
})
afterAll(() => buying?.stop())

type Wanted = {
  seconds?: number
  path: string
  host?: string
  quantity?: number
  variant?: object
  amount?: number
  method?: string
}

async function buy({
  seconds: _,
  path,
  host = 'ucp',
  amount = 2500,
  method = 'ship',
  ...item
}: Wanted): Promise<Purchase> {
  const url = `https://${host}.shop.test/products/${path}`
  return buying.buy(buyer, [{ url, amount, ...item }], {
    preferences: { fulfillment: { method } },
    max_amount: 12_000,
  })
}

/** Its end; so much time passes between two looks, wherever it waits. */
async function ended(intent: Purchase, seconds = 2): Promise<Purchase> {
  const over = ['succeeded', 'failed', 'cancelled', 'awaiting_approval']
  return buying.until(buyer, intent.id, ({ status, carts }) => {
    if (over.includes(status) && carts.length > 0) return true
    void advanceTestClock(buying.app.databaseUrl, seconds)
    return false
  })
}

/** What the shop testifies of the money of a purchase: only its own entries, by the order that it names. */
async function chargesOf(before: number): Promise<string[]> {
  const log = await strangers.log('ucp')
  return log
    .slice(before)
    .filter(({ kind }) => kind === 'charge')
    .map(({ result, amount }) => `${result} ${amount}`)
}

const taken = ['authorized 3240', 'captured 3240']

type Expected = { status: string; code?: string; charges?: string[]; cart?: object }

/** Without a browser: a person can go on there. */
const sentOn = {
  failure_reason: expect.objectContaining({
    merchant_message: expect.stringContaining('https://ucp.shop.test/continue/chk_'),
  }),
}

const shops: readonly [string, Wanted, Expected][] = [
  [
    'sells',
    { path: 'kettle' },
    { status: 'succeeded', charges: taken, cart: { order_id: expect.any(String) } },
  ],
  ['sells over tools', { path: 'kettle', host: 'tools.ucp' }, { status: 'succeeded', charges: taken }],
  [
    'sells by the first release',
    { path: 'kettle', host: 'old.ucp', variant: { id: 'kettle' } },
    { status: 'succeeded', charges: taken },
  ],
  [
    'of the first release does not say what is at an address',
    { path: 'kettle', host: 'old.ucp' },
    { status: 'failed', code: 'merchant_unsupported' },
  ],
  [
    'sells the variant that was chosen',
    {
      path: 'teapot',
      variant: {
        selections: [
          { name: 'size', value: 'small' },
          { name: 'Color', value: 'Sage' },
        ],
      },
    },
    { status: 'succeeded', charges: taken },
  ],
  ['has more than one variant', { path: 'teapot' }, { status: 'failed', code: 'variant_required' }],
  [
    'has sold a variant out',
    { path: 'teapot', variant: { sku: 'teapot-small-rust' } },
    { status: 'failed', code: 'product_out_of_stock' },
  ],
  ['has nothing there', { path: 'nothing' }, { status: 'failed', code: 'product_not_found' }],
  ['sells what is not shipped', { path: 'gift-card', method: 'digital' }, { status: 'succeeded' }],
  ['has too few', { path: 'last-two', quantity: 3 }, { status: 'failed', code: 'insufficient_stock' }],
  ['has none', { path: 'sold-out' }, { status: 'failed', code: 'product_out_of_stock' }],
  [
    'asks for more than was expected',
    { path: 'dearer-than-listed', amount: 2100 },
    { status: 'awaiting_approval' },
  ],
  [
    'wants its buyer at its page at once',
    { path: 'escalates-at-create' },
    { status: 'failed', code: 'merchant_unsupported', cart: sentOn },
  ],
  [
    'wants its buyer at its page once it knows the address',
    { path: 'escalates-at-update' },
    { status: 'failed', code: 'merchant_unsupported', cart: sentOn },
  ],
  [
    'asks the bank',
    { path: 'escalates-at-complete' },
    { status: 'failed', code: 'payment_authentication_failed' },
  ],
  ['takes its time', { path: 'takes-its-time' }, { status: 'succeeded', charges: taken }],
  [
    'never decides',
    { path: 'never-settles', seconds: 30 },
    { status: 'failed', code: 'merchant_unavailable' },
  ],
  [
    'never decides and holds the money',
    { path: 'held-for-ever', seconds: 30 },
    { status: 'succeeded', charges: ['authorized 3240'], cart: { order_id: null, actual_amount: 3240 } },
  ],
  [
    'dies before there is an order',
    { path: 'dies-before-order' },
    { status: 'failed', code: 'merchant_unavailable' },
  ],
  ['dies after there is an order', { path: 'dies-after-order' }, { status: 'succeeded', charges: taken }],
  ['takes no payment', { path: 'declined' }, { status: 'failed', code: 'payment_declined' }],
  ['cannot add', { path: 'miscounted' }, { status: 'failed', code: 'merchant_unsupported' }],
  [
    'asks for more when it is paid',
    { path: 'dearer-at-complete' },
    { status: 'failed', code: 'price_changed' },
  ],
  ['takes more than its total', { path: 'asks-more' }, { status: 'failed', code: 'payment_declined' }],
  [
    'is paid with nothing that we have',
    { path: 'paid-elsewhere' },
    { status: 'failed', code: 'merchant_unsupported' },
  ],
  [
    'says so in its profile',
    { path: 'kettle', host: 'elsewhere.ucp' },
    { status: 'failed', code: 'merchant_unsupported' },
  ],
  ['answers garbage', { path: 'garbage-at-create' }, { status: 'failed', code: 'merchant_unavailable' }],
  [
    'answers garbage once it was paid',
    { path: 'garbage-at-complete' },
    { status: 'succeeded', charges: taken },
  ],
  ['signs nothing', { path: 'unsigned' }, { status: 'succeeded', charges: taken }],
  [
    'signs with a key that nobody knows',
    { path: 'wrongly-signed' },
    { status: 'failed', code: 'merchant_unavailable' },
  ],
  [
    'takes the money later',
    { path: 'charged-when-shipped' },
    { status: 'succeeded', charges: ['authorized 3240'], cart: { actual_amount: 3240 } },
  ],
]

describe('a stranger that speaks UCP', () => {
  test.each(shops)('that %s', async (_name, wanted, expected) => {
    const before = (await strangers.log('ucp')).length
    const intent = await ended(await buy(wanted), wanted.seconds)
    const [cart] = intent.carts
    expect({
      status: intent.status,
      code: (cart?.failure_reason as { code: string } | null)?.code,
      charges: (await chargesOf(before)).filter((line) => !line.startsWith('declined')),
    }).toEqual({
      status: expected.status,
      code: expected.code,
      charges: expected.charges ?? expect.anything(),
    })
    if (expected.charges === undefined && expected.status !== 'succeeded')
      expect((await chargesOf(before)).filter((line) => /^(authorized|captured)/.test(line))).toEqual([])
    expect(cart).toMatchObject({ channel: 'ucp', ...expected.cart })
  })
})

describe('what a merchant takes later', () => {
  async function policyOf(): Promise<string> {
    const created = await buying.app.post(
      '/v1/policies',
      {
        name: 'At strangers',
        currency: 'USD',
        limits: { intervals: [{ interval: 'all_time', max_amount: 50_000 }] },
        scope: { profile_ids: [buyer.profileId] },
      },
      { key: buyer.key },
    )
    expect(created.status, JSON.stringify(created.body)).toBe(201)
    return created.body.id
  }

  async function spentOf(policyId: string): Promise<number> {
    const { body } = await buying.app.get(`/v1/policies/${policyId}`, { key: buyer.key })
    return body.usage.find(({ interval }: { interval: string }) => interval === 'all_time').spent
  }

  async function followed(intent: Purchase, amount: number): Promise<Purchase> {
    await advanceTestClock(buying.app.databaseUrl, 3700)
    return buying.until(buyer, intent.id, ({ actual_amount }) => actual_amount === amount)
  }

  test('is what the purchase has cost, and what its policies count', async () => {
    const policyId = await policyOf()
    const kept = await ended(await buy({ path: 'charged-when-shipped' }))
    const cancelled = await ended(await buy({ path: 'cancelled' }))
    expect([kept.actual_amount, cancelled.actual_amount, await spentOf(policyId)]).toEqual([3240, 3240, 6480])
    await strangers.days('ucp', 1)
    const released = await followed(cancelled, 0)
    expect(released).toMatchObject({ status: 'succeeded', summary: expect.stringContaining('$0.00 charged') })
    const captured = await buying.until(buyer, kept.id, ({ carts: [cart] }) => cart?.transaction_id !== null)
    expect(captured.actual_amount).toBe(3240)
    expect(await spentOf(policyId)).toBe(3240)
    expect(await buying.eventTypes(buyer, kept.id)).toContain('cart.payment_captured')
  })

  test('leaves nothing open, and every sum as it should be', async () => {
    await advanceTestClock(buying.app.databaseUrl, 3700)
    const overdue = `select id from carts where due_at < prokura_now() or lease_until is not null`
    await expect.poll(async () => (await buying.sql(overdue)).length, { interval: 20 }).toBe(0)
    await buying.audit()
  })
})
