import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { events } from '../../src/composition.ts'
import type { TestAccount } from '../harness/app.ts'
import { type Buyer, type Buying, startBuying } from '../harness/buying.ts'
import { newDestination, type Receiver, startReceiver } from '../harness/deliveries.ts'
import { contradictions, hearWitnesses, refundContradictions } from '../harness/witness.ts'

let buying: Buying
let buyer: Buyer
let seller: TestAccount
let shopUrl: string
let receiver: Receiver

beforeAll(async () => {
  buying = await startBuying()
  buyer = await buying.newBuyer()
  seller = await buying.app.newAccount('Seller')
  const key = seller.keys.secret_test
  await buying.app.post(
    '/v1/merchant',
    { name: 'Native Shop', domain: 'life.example', currency: 'USD', tax_basis_points: 700 },
    { key },
  )
  await buying.sql('update merchants set domain_verified_at = now() where account_id = $1', [
    seller.accountId,
  ])
  shopUrl = 'https://life.example/thing'
  const item = { title: 'Thing', url: shopUrl, variants: [{ sku: 'T-1', price: 1000 }] }
  const { body } = await buying.app.post('/v1/merchant/catalog_items', item, { key })
  await buying.app.post(`/v1/merchant/catalog_items/${body.id}/publish`, undefined, { key })
  receiver = await startReceiver()
  await newDestination(
    buying.app,
    receiver.url,
    { event_types: events.subscribable.merchant.filter(isForwarded) },
    key,
  )
})
afterEach(() => buying.audit())
afterAll(async () => {
  await buying?.stop()
  await receiver?.stop()
})

/** Everything that is forwarded to merchants once an order is there. */
function isForwarded(type: string): boolean {
  return type.startsWith('payment.') || type.startsWith('order.')
}

/** The types of an order's events at the merchant's backend. */
function toldOf(order: string): { type: string; data: Record<string, Record<string, unknown>> }[] {
  return receiver.received
    .map(({ body }) => JSON.parse(body))
    .filter(({ data }) => data.order?.id === order || data.payment?.order_id === order)
}

function asMerchant(order: string, path: string, body: object = {}) {
  return buying.app.post(`/v1/merchant/orders/${order}/${path}`, body, { key: seller.keys.secret_test })
}

/** A purchase of two things at 1000 that waits for its merchant: 2140 with tax. */
async function ordered(): Promise<{ id: string; order: string; cart: string }> {
  const { id } = await buying.buy(buyer, [{ url: shopUrl, quantity: 2 }])
  const { carts } = await buying.until(buyer, id, (intent) => Boolean(intent.carts[0]?.order))
  return { id, order: String(carts[0]?.order), cart: String(carts[0]?.id) }
}

async function confirm(order: string, id: string) {
  const answer = { outcome: 'confirmed', confirmation_reference: `C-${order}` }
  expect((await asMerchant(order, 'responses', answer)).status).toBe(200)
  return await buying.ended(buyer, id)
}

/** What of a purchase was given back, as the purchase, its cart and its summary show it. */
async function shownOf(id: string) {
  const { refunded_amount, carts, summary } = await buying.read(buyer, id)
  return [refunded_amount, carts[0]?.refunded_amount, summary]
}

async function readOrder(order: string) {
  return (await buying.app.get(`/v1/orders/${order}`, { key: buyer.key })).body
}

/** Nothing that the outside world remembers contradicts what we tell. */
async function expectAgreement({ id, order, cart }: { id: string; order: string; cart: string }) {
  const { sandbox } = buying
  const testimony = await hearWitnesses({
    processor: `${sandbox.processorUrl}/log`,
    shops: `${sandbox.shopsUrl}/log`,
    merchant: `${sandbox.merchantUrl}/log`,
  })
  const told = await buying.read(buyer, id)
  // Nobody runs a merchant's backend here: what it would remember of its orders is not asked.
  const problems = contradictions([told] as never, testimony, (reference) => reference.startsWith(id))
  expect(problems.filter((problem) => !problem.includes('its merchant has'))).toEqual([])
  const { refunds } = await readOrder(order)
  expect(refundContradictions(`${id}/${cart}`, refunds, testimony)).toEqual([])
}

type EventRow = { type: string; envelope: string }

async function eventsOf(order: string): Promise<EventRow[]> {
  return await buying.sql<EventRow>(
    'select type, envelope from events where aggregate_id = $1 order by sequence',
    [order],
  )
}

test('from order to refund: a lower price is captured, sent, delivered, refunded in part and then whole', async () => {
  const purchase = await ordered()
  const { id, order } = purchase
  expect((await asMerchant(order, 'reprice', { subtotal_amount_cents: 1500 })).body.total_amount).toBe(1605)
  const intent = await confirm(order, id)
  expect(intent).toMatchObject({ status: 'succeeded', actual_amount: 1605 })
  expect(await buying.moneyOf(id)).toEqual(['authorize 2140 approved', 'capture 1605 approved'])
  const parcel = { carrier: 'UPS', tracking_number: '1Z', status: 'shipped' }
  expect((await asMerchant(order, 'fulfillments', parcel)).body.status).toBe('fulfilling')
  const delivered = await asMerchant(order, 'fulfillments', { tracking_number: '1Z', status: 'delivered' })
  expect(delivered.body).toMatchObject({ status: 'completed', payment_status: 'captured' })
  const lines = [{ index: 0, quantity: 1 }]
  const returned = await buying.app.post(
    `/v1/orders/${order}/returns`,
    { line_items: lines, reason: 'damaged' },
    { key: buyer.key },
  )
  const part = await asMerchant(order, 'refunds', {
    return_id: returned.body.returns[0].id,
    reason: 'Cracked',
  })
  expect([part.status, part.body]).toMatchObject([
    201,
    {
      payment_status: 'partially_refunded',
      refunds: [{ amount: 802, status: 'succeeded', line_items: lines }],
      returns: [{ status: 'refunded' }],
      adjustments: [
        { type: 'reprice', amount: 500 },
        { type: 'refund', amount: 802, reason: 'Cracked' },
      ],
    },
  ])
  const rest = await asMerchant(order, 'refunds')
  expect(rest.body).toMatchObject({ status: 'completed', payment_status: 'refunded' })
  expect((await asMerchant(order, 'refunds', { amount: 1 })).status).toBe(409)
  expect((await buying.moneyOf(id)).slice(2)).toEqual(['refund 802 approved', 'refund 803 approved'])
  expect(await readOrder(order)).toEqual({ ...rest.body, purchase_intent_id: id })
  const events = await eventsOf(order)
  expect(events.map(({ type }) => type)).toEqual([
    'order.requested',
    'payment.authorized',
    'order.repriced',
    'order.confirmed',
    'payment.captured',
    'order.fulfillment_updated',
    'order.fulfillment_updated',
    'order.completed',
    'order.return_requested',
    'order.refund_requested',
    'payment.refunded',
    'order.refunded',
    'order.refund_requested',
    'payment.refunded',
    'order.refunded',
  ])
  const payments = events.flatMap(({ type, envelope }) =>
    type.startsWith('payment.') ? [JSON.parse(envelope).data.payment] : [],
  )
  const currency = 'USD'
  const [first, second] = rest.body.refunds
  expect(payments).toEqual([
    { order_id: order, amount: 2140, currency, status: 'authorized' },
    { order_id: order, amount: 1605, currency, status: 'captured' },
    { order_id: order, amount: 802, currency, status: 'partially_refunded', refund_id: first.id },
    { order_id: order, amount: 803, currency, status: 'refunded', refund_id: second.id },
  ])
  await expectAgreement(purchase)
})

test('what is given back is shown on the purchase, its cart and its summary, and makes no room in a policy', async () => {
  const own = { scope: { profile_ids: [buyer.profileId] }, approval: { mode: 'always' } }
  const limits = { intervals: [{ interval: 'all_time', max_amount: 100_000 }] }
  const policy = await buying.app.post(
    '/v1/policies',
    { name: 'Ever', currency: 'USD', limits, ...own },
    buyer,
  )
  const purchase = await ordered()
  const { id, order } = purchase
  expect(await confirm(order, id)).toMatchObject({ status: 'succeeded', refunded_amount: 0 })
  const bought = 'Bought 2 items from life.example: $21.40 charged'
  expect(await shownOf(id)).toEqual([0, 0, `${bought}.`])
  await Promise.all([1, 2].map((amount) => asMerchant(order, 'refunds', { amount: amount * 100 })))
  expect(await shownOf(id)).toEqual([300, 300, `${bought}, and $3.00 of it given back.`])
  await asMerchant(order, 'refunds')
  expect(await shownOf(id)).toEqual([2140, 2140, `${bought}, and all of it given back.`])
  const { data } = (await buying.app.get(`/v1/purchase_intents/${id}/events?limit=200`, buyer)).body
  const given = data.filter(({ type }: { type: string }) => type === 'cart.payment_refunded')
  const amounts = given.map(
    (event: { data: { cart: { refunded_amount: number } } }) => event.data.cart.refunded_amount,
  )
  expect([amounts.length, amounts.at(-1)]).toEqual([3, 2140])
  const { usage } = (await buying.app.get(`/v1/policies/${policy.body.id}`, buyer)).body
  expect(usage).toMatchObject([{ interval: 'all_time', spent: 2140, reserved: 0 }])
  await buying.app.post(`/v1/policies/${policy.body.id}/archive`, undefined, buyer)
  await expectAgreement(purchase)
})

test('every movement of the money is forwarded to the merchant, in the shape of the payment', async () => {
  const [paid, rejected, refused] = [await ordered(), await ordered(), await ordered()]
  await confirm(paid.order, paid.id)
  await asMerchant(paid.order, 'refunds', { amount: 40 })
  expect((await asMerchant(rejected.order, 'responses', { outcome: 'rejected' })).status).toBe(200)
  await buying.sandbox.fault({
    match: { operation: 'capture', reference_contains: refused.id },
    fault: 'decline=card_closed',
  })
  await confirm(refused.order, refused.id)
  const expected = [
    [paid.order, ['authorized', 'captured', 'partially_refunded']],
    [rejected.order, ['authorized', 'voided']],
    [refused.order, ['authorized', 'failed']],
  ] as const
  for (const [order, statuses] of expected) {
    const payments = () => toldOf(order).filter(({ type }) => type.startsWith('payment.'))
    await expect.poll(() => payments().length).toBe(statuses.length)
    expect(payments().map(({ type, data }) => [type, data])).toEqual(
      statuses.map((status) => [
        `payment.${status === 'partially_refunded' ? 'refunded' : status}`,
        {
          payment: {
            order_id: order,
            amount: status === 'partially_refunded' ? 40 : 2140,
            currency: 'USD',
            status,
            ...(status === 'partially_refunded' ? { refund_id: expect.stringMatching(/^rfd_/) } : {}),
          },
        },
      ]),
    )
  }
  const refunded = toldOf(paid.order).find(({ type }) => type === 'order.refunded')
  const shown = await buying.app.get(`/v1/merchant/orders/${paid.order}`, { key: seller.keys.secret_test })
  expect(refunded?.data).toEqual({ order: shown.body })
  await buying.settled()
})

test('refunds at once return the captured amount and not a cent more', async () => {
  const purchase = await ordered()
  await confirm(purchase.order, purchase.id)
  const answers = await Promise.all(
    [1, 2, 3, 4, 5, 6].map(() => asMerchant(purchase.order, 'refunds', { amount: 500 })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 409, 409])
  await expect.poll(async () => (await readOrder(purchase.order)).payment_status).toBe('partially_refunded')
  await expect.poll(async () => (await readOrder(purchase.order)).adjustments.length).toBe(4)
  await expectAgreement(purchase)
})

test('a refund that the rail declines gives nothing back and takes no room from the next', async () => {
  const purchase = await ordered()
  await confirm(purchase.order, purchase.id)
  await buying.sandbox.fault({
    match: { operation: 'refund', reference_contains: purchase.id },
    fault: 'decline=card_closed',
    times: 1,
  })
  const failed = await asMerchant(purchase.order, 'refunds')
  expect(failed.body).toMatchObject({
    payment_status: 'captured',
    refunds: [{ status: 'failed' }],
    adjustments: [],
  })
  const again = await asMerchant(purchase.order, 'refunds')
  expect(again.body).toMatchObject({
    payment_status: 'refunded',
    adjustments: [{ type: 'refund', amount: 2140 }],
  })
  expect((await eventsOf(purchase.order)).map(({ type }) => type).slice(4)).toEqual([
    'order.refund_requested',
    'order.refund_failed',
    'order.refund_requested',
    'payment.refunded',
    'order.refunded',
  ])
  await expectAgreement(purchase)
})

test.each(['lose_answer', 'drop_request', 'error_500_once'])(
  'a refund whose answer is lost (%s) is asked about and made once',
  async (fault) => {
    const purchase = await ordered()
    await confirm(purchase.order, purchase.id)
    await buying.sandbox.fault({
      match: { operation: 'refund', reference_contains: purchase.id },
      fault,
      times: 1,
    })
    await asMerchant(purchase.order, 'refunds', { amount: 700 })
    await expect.poll(async () => (await readOrder(purchase.order)).refunds[0].status).toBe('succeeded')
    expect((await buying.moneyOf(purchase.id)).filter((line) => line.startsWith('refund'))).toEqual([
      'refund 700 approved',
    ])
    await expectAgreement(purchase)
  },
)

test('a refund goes on where its worker was lost, also while purchases are frozen', async () => {
  const purchase = await ordered()
  await confirm(purchase.order, purchase.id)
  const frozen = { target: { type: 'account' } }
  expect((await buying.app.post('/v1/controls/freeze', frozen, { key: buyer.key })).status).toBe(200)
  const held = buying.faults.pause('order_refund.after')
  const asked = asMerchant(purchase.order, 'refunds', { amount: 300 })
  await held.reached
  // The worker that made the call never writes its answer: the lease passes to another.
  await buying.sql(`update order_refunds set lease_until = now() - interval '1 second' where order_id = $1`, [
    purchase.order,
  ])
  expect((await asked).body.refunds[0].status).toBe('succeeded')
  held.resume()
  expect((await buying.app.post('/v1/controls/unfreeze', frozen, { key: buyer.key })).status).toBe(200)
  expect((await buying.moneyOf(purchase.id)).filter((line) => line.startsWith('refund'))).toEqual([
    'refund 300 approved',
  ])
  await expectAgreement(purchase)
})
