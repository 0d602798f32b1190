import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Buyer, type Buying, type Purchase, startBuying } from '../harness/buying.ts'
import { openTickets } from '../harness/credential-tickets.ts'

let buying: Buying
let buyer: Buyer

beforeAll(async () => {
  buying = await startBuying()
  buyer = await buying.newBuyer()
})
afterAll(() => buying?.stop())

function shopUrl(scenario: string, host = 'shop.example'): string {
  return `https://${host}/thing?scenario=${scenario}`
}

async function run(scenario: string, more: Record<string, unknown> = {}) {
  const { id } = await buying.buy(buyer, [{ url: shopUrl(scenario) }], more)
  const intent = await buying.ended(buyer, id)
  await buying.settled()
  return { intent, cart: (await buying.read(buyer, id)).carts[0], money: await buying.moneyOf(id) }
}

test('an approved purchase at an unknown shop is bought in the sandbox and charged once, with an event for each step', async () => {
  const { intent, cart, money } = await run('none')
  expect(intent).toMatchObject({ status: 'succeeded', actual_amount: 1380, partial: false })
  expect(cart).toMatchObject({
    status: 'succeeded',
    channel: 'simulated',
    merchant_domain: 'shop.example',
    actual_amount: 1380,
    offer: { subtotal: 1000, fulfillment: 300, tax: 80, total: 1380 },
  })
  expect(cart?.order_id).toMatch(/^SHOP-/)
  expect(cart?.transaction_id).toMatch(/^capt_/)
  expect(money).toEqual(['issue_credential 1380 approved', 'capture 1380 approved'])
  expect(await buying.eventTypes(buyer, intent.id)).toEqual([
    'purchase_intent.created',
    'purchase_intent.awaiting_approval',
    'purchase_intent.approved',
    'purchase_intent.started',
    'cart.created',
    'cart.started',
    'cart.offer_updated',
    'cart.payment_authorized',
    'cart.order_placed',
    'cart.payment_captured',
    'cart.succeeded',
    'purchase_intent.succeeded',
  ])
})

test('items of one shop share a cart, and shops are bought from independently', async () => {
  const items = [
    { url: shopUrl('none', 'a.example') },
    { url: shopUrl('none', 'www.a.example'), quantity: 2 },
    { url: shopUrl('out_of_stock', 'b.example') },
  ]
  const { id } = await buying.buy(buyer, items)
  const intent = await buying.ended(buyer, id)
  expect(intent).toMatchObject({
    status: 'failed',
    partial: true,
    failure_reason: { code: 'product_out_of_stock' },
  })
  expect(intent.carts.map(({ merchant_domain, status }) => [merchant_domain, status])).toEqual([
    ['a.example', 'succeeded'],
    ['b.example', 'failed'],
  ])
  expect(intent.carts.reduce((sum, cart) => sum + Number(cart.max_allowed_amount), 0)).toBeLessThanOrEqual(
    Number(intent.max_allowed_amount),
  )
})

describe('a shop that says no', () => {
  test.each([
    ['out_of_stock', 'product_out_of_stock'],
    ['insufficient_stock', 'insufficient_stock'],
    ['variant_required', 'variant_required'],
    ['captcha', 'captcha_blocked'],
    ['fee_over_cap', 'fulfillment_fee_exceeded'],
  ])('to an offer (%s) fails with its reason and holds no money', async (scenario, code) => {
    const { intent, cart, money } = await run(scenario)
    expect(intent).toMatchObject({ status: 'failed', failure_reason: { code } })
    expect(cart).toMatchObject({ can_retry: true, failure_reason: { code } })
    expect(money).toEqual([])
  })

  test('to an order gets its credential taken back', async () => {
    const { intent, cart, money } = await run('rejected')
    expect(intent).toMatchObject({
      status: 'failed',
      actual_amount: 0,
      failure_reason: { code: 'order_rejected_by_merchant', merchant_message: expect.any(String) },
    })
    expect(cart).toMatchObject({ can_retry: true })
    expect(money).toEqual(['issue_credential 1380 approved', 'revoke 1380 revoked'])
  })
})

test('a declined card fails with the code of its issuer', async () => {
  const poor = await buying.newBuyer('visa_insufficient_funds')
  const { id } = await buying.buy(poor, [{ url: shopUrl('none') }])
  expect(await buying.ended(poor, id)).toMatchObject({
    status: 'failed',
    failure_reason: { code: 'payment_declined', category: 'payment', decline_code: 'insufficient_funds' },
  })
})

describe('a price', () => {
  test('within the tolerance is paid as asked', async () => {
    const { intent } = await run('price_up_3')
    expect(intent).toMatchObject({ status: 'succeeded', actual_amount: 1412 })
  })

  test('beyond the tolerance is asked about, and bought when a person agrees', async () => {
    const { id } = await buying.buy(buyer, [{ url: shopUrl('price_up_20') }])
    const asked = await buying.until(buyer, id, ({ next_action }) => next_action !== null)
    expect(asked).toMatchObject({ status: 'awaiting_approval', next_action: { type: 'reapprove_price' } })
    expect(await buying.moneyOf(id)).toEqual([])
    const approved = await buying.app.post(`/v1/purchase_intents/${id}/approve`, { approve: true })
    expect(approved.status, JSON.stringify(approved.body)).toBe(200)
    expect(await buying.ended(buyer, id)).toMatchObject({
      status: 'succeeded',
      actual_amount: 1200 + 96 + 300,
    })
  })

  test('beyond a cap of the caller fails', async () => {
    const { intent, money } = await run('price_up_3', { max_amount: 1400 })
    expect(intent).toMatchObject({ status: 'failed', failure_reason: { code: 'max_amount_exceeded' } })
    expect(money).toEqual([])
  })
})

describe('an answer that is lost', () => {
  test('after the order was placed is found by asking, and charged once', async () => {
    const { intent, money } = await run('lost_answer_placed')
    expect(intent).toMatchObject({ status: 'succeeded', actual_amount: 1380 })
    expect(money).toEqual(['issue_credential 1380 approved', 'capture 1380 approved'])
  })

  test('before the order was placed is closed at the shop before it fails, and can be tried again', async () => {
    const { intent, cart, money } = await run('lost_answer_not_placed')
    expect(intent).toMatchObject({
      status: 'failed',
      failure_reason: { code: 'merchant_unavailable', retry_policy: 'same' },
    })
    expect(cart).toMatchObject({ can_retry: true })
    expect(money).toEqual(['issue_credential 1380 approved', 'revoke 1380 revoked'])
    const results = (await buying.sandbox.shopsLog())
      .filter(({ key }) => key.startsWith(String(cart?.id)))
      .map(({ result }) => result)
    expect(results).toEqual(['lost', 'closed'])
  })

  test.each([
    ['issue_credential', 'lose_answer'],
    ['issue_credential', 'drop_request'],
    ['issue_credential', 'error_500_once'],
    ['capture', 'lose_answer'],
    ['query', 'drop_request'],
  ])('of the processor to %s (%s) charges once', async (operation, fault) => {
    await buying.sandbox.fault({ match: { operation }, fault })
    const { intent, money } = await run('none')
    expect(intent).toMatchObject({ status: 'succeeded', actual_amount: 1380 })
    expect(money).toEqual(['issue_credential 1380 approved', 'capture 1380 approved'])
  })
})

test.each(['slow', 'error_then_ok', 'late_confirmation'])('%s only takes longer', async (scenario) => {
  const { intent } = await run(scenario)
  expect(intent).toMatchObject({ status: 'succeeded', actual_amount: 1380 })
})

test('a sign-in wall asks for a person', async () => {
  const { id } = await buying.buy(buyer, [{ url: shopUrl('sign_in_required') }])
  const intent = await buying.until(buyer, id, ({ status }) => status === 'awaiting_merchant_auth')
  expect(intent).toMatchObject({
    next_action: { type: 'merchant_sign_in' },
    carts: [{ status: 'awaiting_merchant_auth', can_cancel: true }],
  })
  const cancelled = await buying.app.post(`/v1/purchase_intents/${id}/cancel`, {})
  expect(cancelled.body.status).toBe('cancelled')
  await buying.settled()
})

const asksToSignIn = (intent: Purchase) => intent.status === 'awaiting_merchant_auth'

async function submit(id: string, intent: Purchase, secret: object): Promise<void> {
  const credential_ticket_id = await openTickets(buying).mint(buyer, intent, secret)
  const answer = await buying.app.post(`/v1/purchase_intents/${id}/retry`, { credential_ticket_id })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
}

test('who has signed in at the wall buys', async () => {
  const { id } = await buying.buy(buyer, [{ url: shopUrl('sign_in_required') }])
  await submit(id, await buying.until(buyer, id, asksToSignIn), { username: 'ada', password: 'x' })
  expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded', actual_amount: 1380 })
})

test('what the shop refuses is asked for again, and its next sign-in buys', async () => {
  const { id } = await buying.buy(buyer, [{ url: shopUrl('sign_in_refused') }])
  await submit(id, await buying.until(buyer, id, asksToSignIn), { username: 'ada', password: 'x' })
  const refused = await buying.until(buyer, id, ({ status }) => status === 'merchant_auth_failed')
  expect(refused.next_action).toMatchObject({ type: 'merchant_sign_in', element: 'MerchantAuthHandoff' })
  await submit(id, refused, { username: 'ada', password: 'y' })
  expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded' })
})

test('a code that the shop has sent follows the sign-in', async () => {
  const { id } = await buying.buy(buyer, [{ url: shopUrl('sign_in_code') }])
  await submit(id, await buying.until(buyer, id, asksToSignIn), { username: 'ada', password: 'x' })
  const isAsked = ({ next_action }: Purchase) =>
    (next_action as { type: string } | null)?.type === 'provide_input'
  await submit(id, await buying.until(buyer, id, isAsked), { code: '123456' })
  expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded' })
})

test('a retry is a new attempt with its own key', async () => {
  const { id } = await buying.buy(buyer, [{ url: shopUrl('rejected') }])
  await buying.ended(buyer, id)
  const retried = await buying.app.post(`/v1/purchase_intents/${id}/retry`, {})
  expect(retried.status, JSON.stringify(retried.body)).toBe(200)
  const again = await buying.ended(buyer, id)
  expect(again.carts[0]).toMatchObject({ attempt_number: 2, status: 'failed' })
  await buying.settled()
  expect((await buying.moneyOf(id)).length).toBe(4)
})

test('every invariant holds of all of them', () => buying.audit())
