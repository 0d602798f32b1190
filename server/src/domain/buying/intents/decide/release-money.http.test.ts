import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { type Buyer, createPurchase, newBuyer } from '../../../../../test/harness/buyers.ts'
import { endByHand, readPurchase, runningPurchase } from '../../../../../test/harness/hand-worker.ts'
import { openShop, placeOrder } from '../../../../../test/harness/orders.ts'
import { advanceTestClock, installTestClock } from '../../../../platform/clock/test-clock.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ testClock: true })
  await installTestClock(app.databaseUrl)
})
afterAll(() => app.stop())

function told({ status, body }: Answer): string {
  return status < 300 ? String(status) : `${status} ${body.detail.code}`
}

function approve(id: string, body: object = {}, key = app.account.keys.secret_test): Promise<Answer> {
  return app.post(`/v1/purchase_intents/${id}/approve`, { approve: true, ...body }, { key })
}

async function waitingPurchase(buyer: Buyer, key = app.account.keys.secret_test): Promise<string> {
  const { status, body } = await createPurchase(app, buyer, {}, { key })
  expect([status, body.status]).toEqual([201, 'awaiting_approval'])
  return body.id
}

async function sql(text: string, ...values: unknown[]): Promise<void> {
  await app.parts.pools.single({ name: '', text, values })
}

function control(what: 'freeze' | 'unfreeze', target: object): Promise<Answer> {
  return app.post(`/v1/controls/${what}`, { target })
}

test('another key does not release a purchase that a frozen key asked for, and a frozen key releases nothing', async () => {
  const buyer = await newBuyer(app)
  const [asking, releasing] = [
    await app.newKey(app.account, 'test', 'full'),
    await app.newKey(app.account, 'test', 'full'),
  ]
  const id = await waitingPurchase(buyer, asking.token)
  for (const frozen of [asking, releasing]) {
    await control('freeze', { type: 'key', id: frozen.id })
    expect(told(await approve(id, {}, releasing.token))).toBe('409 frozen')
    await control('unfreeze', { type: 'key', id: frozen.id })
  }
  expect(told(await approve(id, {}, releasing.token))).toBe('200')
})

test('for a frozen profile nothing is released, for another one everything', async () => {
  const [frozen, free] = [await newBuyer(app), await newBuyer(app)]
  const ids = [await waitingPurchase(frozen), await waitingPurchase(free)] as const
  await control('freeze', { type: 'profile', id: frozen.profileId })
  expect([told(await approve(ids[0])), told(await approve(ids[1]))]).toEqual(['409 frozen', '200'])
})

test('in a frozen account nothing is released, and no agent ends a freeze', async () => {
  const id = await waitingPurchase(await newBuyer(app))
  await control('freeze', { type: 'account' })
  expect(told(await approve(id))).toBe('409 frozen')
  const agent = { key: app.account.keys.agent_test }
  const unfrozen = await app.post('/v1/controls/unfreeze', { target: { type: 'account' } }, agent)
  expect(told(unfrozen)).toBe('403 insufficient_scope')
  expect(told(await approve(id))).toBe('409 frozen')
  await control('unfreeze', { type: 'account' })
  expect(told(await approve(id))).toBe('200')
})

test('a purchase whose merchant has confirmed is not cancelled, although its cart does not know yet', async () => {
  const shop = await openShop(app, await app.newAccount('Seller'))
  const order = await placeOrder(app, app.account, shop)
  await sql('update carts set order_row_id = $1 where id = $2', order.id, order.cart_id)
  const confirmed = await app.post(
    `/v1/merchant/orders/${order.id}/responses`,
    { outcome: 'confirmed', confirmation_reference: 'C-1' },
    { key: shop.key },
  )
  expect(confirmed.status).toBe(200)
  const cancel = await app.post(`/v1/purchase_intents/${order.purchase_intent_id}/cancel`)
  expect(told(cancel)).toBe('409 not_cancellable')
})

test('a cart that a person calls placed counts no more than the cap, even if the offer was higher', async () => {
  const { id, carts } = await runningPurchase(app, await newBuyer(app))
  await endByHand(app, id, [{ cart: 0, status: 'failed', unknown: true }])
  const cap = (await readPurchase(app, id)).carts[0].max_allowed_amount
  const none = { fulfillment: 0, tax: 0, discount: 0, as_of: new Date().toISOString() }
  const offer = { ...none, subtotal: cap + 1, total: cap + 1 }
  await sql('update carts set offer = $1 where id = $2', JSON.stringify(offer), carts[0])
  const placed = await app.post(`/v1/purchase_intents/${id}/reconcile`, {
    cart_id: carts[0],
    outcome: 'placed',
  })
  expect([told(placed), placed.body.actual_amount]).toEqual(['200', cap])
})

test('for an archived profile nothing is approved and nothing is tried again', async () => {
  const buyer = await newBuyer(app)
  const waiting = await waitingPurchase(buyer)
  const failed = await runningPurchase(app, buyer)
  await endByHand(app, failed.id, [{ cart: 0, status: 'failed' }])
  expect((await app.post(`/v1/profiles/${buyer.profileId}/archive`)).status).toBe(200)
  expect(told(await approve(waiting))).toBe('409 profile_not_active')
  expect(told(await app.post(`/v1/purchase_intents/${failed.id}/retry`))).toBe('409 profile_not_active')
  expect((await readPurchase(app, failed.id)).status).toBe('failed')
})

test('a deleted card pays nothing, and no card of another profile does', async () => {
  const [buyer, other] = [await newBuyer(app), await newBuyer(app)]
  const id = await waitingPurchase(buyer)
  const foreign = await approve(id, { profile_payment_method_id: other.paymentMethodId })
  expect(told(foreign)).toBe('404 not_found')
  await app.request('DELETE', `/v1/profiles/${buyer.profileId}/payment_methods/${buyer.paymentMethodId}`)
  expect(told(await approve(id))).toBe('409 payment_method_required')
  const deleted = await approve(id, { profile_payment_method_id: buyer.paymentMethodId })
  expect(told(deleted)).toBe('404 not_found')
})

test('live mode takes no identifier of a test security code for an approval', async () => {
  const key = app.account.keys.secret_live
  const buyer = await newBuyer(app, { card: null, key })
  const id = await waitingPurchase(buyer, key)
  const answer = await approve(id, { temporary_cvc_token_id: 'cvc_3_digit' }, key)
  expect(told(answer)).toBe('400 test_card_identifier_not_allowed_in_live_mode')
})

test('live mode tries nothing again while nothing can be paid in it', async () => {
  const key = app.account.keys.secret_live
  const id = await waitingPurchase(await newBuyer(app, { card: null, key }), key)
  const failed = await runningPurchase(app, await newBuyer(app))
  await endByHand(app, failed.id, [{ cart: 0, status: 'failed' }])
  // As if it had been approved and had failed while there was a rail.
  await sql(`update purchase_intents set status = 'failed', due_at = null where id = $1`, id)
  await sql(
    `insert into carts select (jsonb_populate_record(c, jsonb_build_object('mode', 'live', 'intent_id', $1::text))).*
       from carts c where c.intent_id = $2`,
    id,
    failed.id,
  )
  const retried = await app.post(`/v1/purchase_intents/${id}/retry`, undefined, { key })
  expect(told(retried)).toBe('409 live_payments_not_configured')
})

test('an approval or a refusal that comes after its time is refused', async () => {
  const buyer = await newBuyer(app)
  const ids = [await waitingPurchase(buyer), await waitingPurchase(buyer)] as const
  await advanceTestClock(app.databaseUrl, 8 * 86_400)
  expect(told(await approve(ids[0]))).toBe('409 not_approvable')
  expect(told(await approve(ids[1], { approve: false }))).toBe('409 not_approvable')
})
