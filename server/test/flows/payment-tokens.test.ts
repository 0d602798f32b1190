import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Buyer, type Buying, startBuying } from '../harness/buying.ts'
import {
  askForToken,
  openTokenShop,
  type TokenShop,
  tokenBody,
  waiting,
  withToken,
} from '../harness/token-purchases.ts'

let buying: Buying
let buyer: Buyer
let shop: TokenShop
beforeAll(async () => {
  buying = await startBuying()
  buyer = await buying.newBuyer()
  shop = await openTokenShop(buying)
})
afterEach(() => buying.audit())
afterAll(async () => {
  await shop?.close()
  await buying?.stop()
})

test('a merchant authorizes, captures and is paid what it captured, and the purchase names its order', async () => {
  const { id, token } = await withToken(buying, buyer, shop)
  expect(await buying.read(buyer, id)).toMatchObject({
    status: 'approved',
    carts: [{ channel: 'ucp', max_allowed_amount: 1080, can_cancel: false, offer: { total: 1080 } }],
  })
  const held = await shop.authorize(token)
  await shop.report(token)
  const used = await buying.until(buyer, id, ({ carts }) => carts[0]?.order_id !== null)
  expect(used).toMatchObject({ status: 'approved', actual_amount: 0 })
  expect(await shop.find(token)).toMatchObject({ status: 'authorized' })
  await shop.capture(held, 1000n)
  await shop.report(token)
  const found = await shop.find(token)
  expect(await buying.ended(buyer, id)).toMatchObject({
    status: 'succeeded',
    actual_amount: 1000,
    carts: [{ status: 'succeeded', actual_amount: 1000, order_id: found?.orderId, order: null }],
  })
  expect(await shop.find(token)).toMatchObject({ status: 'captured' })
  expect(await buying.moneyOf(id)).toEqual([
    'issue_credential 1080 approved',
    'charge_credential 1080 approved',
    'capture 1000 approved',
  ])
  expect(await buying.eventTypes(buyer, id)).toEqual([
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

test('a merchant that releases ends the purchase unpaid, and nobody can use the token again', async () => {
  const { id, token } = await withToken(buying, buyer, shop)
  const held = await shop.authorize(token)
  await shop.release(held)
  await shop.report(token)
  expect(await buying.ended(buyer, id)).toMatchObject({
    status: 'failed',
    actual_amount: 0,
    failure_reason: { code: 'order_rejected_by_merchant', retry_policy: 'none' },
    carts: [{ status: 'failed', can_retry: false }],
  })
  const found = await shop.find(token)
  expect(found).toMatchObject({ status: 'released' })
  expect(found && (await shop.claim(found, 'another'))).toEqual({ kind: 'refused', reason: 'used' })
})

test('the rail lets nobody authorize twice, for more, or in the name of another merchant', async () => {
  const { token } = await withToken(buying, buyer, shop)
  await expect(shop.authorize(token, 1081n)).rejects.toThrow()
  const held = await shop.authorize(token)
  await expect(shop.authorize(token, 1n)).rejects.toThrow()
  await shop.release(held)
  await shop.report(token)
  await buying.settled()
})

test('of several orders one has the token, another merchant has it never', async () => {
  const { id, token } = await withToken(buying, buyer, shop)
  const found = await shop.find(token)
  if (!found) throw new Error('no token')
  const other = await openTokenShop(buying)
  expect(await other.claim(found, 'theirs')).toEqual({ kind: 'refused', reason: 'other_merchant' })
  await other.close()
  const orders = ['one', 'two', 'three', 'four']
  const claims = await Promise.all(orders.map((order) => shop.claim(found, order)))
  const won = claims.filter(({ kind }) => kind === 'claimed')
  expect(won).toHaveLength(1)
  expect(claims.filter(({ kind }) => kind === 'refused')).toHaveLength(3)
  const winner = orders[claims.findIndex(({ kind }) => kind === 'claimed')] ?? ''
  expect(await shop.claim(found, winner)).toMatchObject({ kind: 'claimed' })
  const events = await buying.sql<{ type: string }>(
    'select type from events where aggregate_id = $1 order by sequence',
    [found.id],
  )
  expect(events.map(({ type }) => type)).toEqual(['payment_token.created', 'payment_token.used'])
  await buying.sql(
    `update carts set created_at = created_at - interval '15 minutes', due_at = now() where intent_id = $1`,
    [id],
  )
  expect(await buying.ended(buyer, id)).toMatchObject({ failure_reason: { code: 'payment_token_expired' } })
})

test('a purchase that waits for its token can be cancelled, one whose token is out cannot', async () => {
  const free = await waiting(buying, buyer, shop)
  expect((await buying.app.post(`/v1/purchase_intents/${free.id}/cancel`, {}, buyer)).status).toBe(200)
  const late = await askForToken(buying, free.id, tokenBody(shop), buyer)
  expect([late.status, late.body.detail.code]).toEqual([409, 'payment_token_not_available'])
  const { id, token } = await withToken(buying, buyer, shop)
  const { status, body } = await buying.app.post(`/v1/purchase_intents/${id}/cancel`, {}, buyer)
  expect([status, body.detail.code]).toEqual([409, 'not_cancellable'])
  await shop.release(await shop.authorize(token))
  await shop.report(token)
  await buying.ended(buyer, id)
})

test('a cancel that comes before the credential releases it, and the token was never usable', async () => {
  const pause = buying.faults.pause('issue_credential.after')
  const { id } = await waiting(buying, buyer, shop)
  const asked = askForToken(buying, id, tokenBody(shop), buyer)
  await pause.reached
  expect((await buying.app.post(`/v1/purchase_intents/${id}/cancel`, {}, buyer)).status).toBe(200)
  pause.resume()
  const { status, body } = await asked
  expect([status, body.status]).toEqual([201, 'released'])
  expect(await shop.find(body.token)).toMatchObject({ credentialReference: null, status: 'released' })
  await buying.settled()
  expect(await buying.moneyOf(id)).toEqual(['issue_credential 1080 approved', 'revoke 1080 revoked'])
})

test('a card that is declined ends the purchase, and the answer says so', async () => {
  const poor = await buying.newBuyer('visa_insufficient_funds')
  const { id } = await waiting(buying, poor, shop)
  const { status, body } = await askForToken(buying, id, tokenBody(shop), poor)
  expect([status, body.status]).toEqual([201, 'failed'])
  expect(await buying.read(poor, id)).toMatchObject({
    status: 'failed',
    failure_reason: { code: 'payment_declined', decline_code: 'insufficient_funds', retry_policy: 'none' },
  })
})
