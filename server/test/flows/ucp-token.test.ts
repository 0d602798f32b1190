import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Buyer } from '../harness/buying.ts'
import { startUcpShop, total } from '../harness/ucp-shop.ts'

/** Purchases of an account here, paid at a merchant of ours over UCP by a platform that was handed a token. */
const shop = await startUcpShop()
const { buying, ask, create, becomes, orderOf, answerOrder, mugs } = shop
let buyer: Buyer

beforeAll(async () => {
  buyer = await buying.newBuyer()
  // Purchases of other accounts find a merchant by its proved domain.
  await buying.sql(`update merchants set domain_verified_at = now() where slug = 'rose'`)
})
afterEach(() => buying.audit())
afterAll(() => shop.stop())

type Token = { intent: string; token: string; id: string }

/** An approved purchase at the shop, and its token for a checkout. */
async function tokenFor(
  checkout: string,
  { amount = 2700, merchant = { slug: 'rose' } as object } = {},
): Promise<Token> {
  const { id } = await buying.buy(buyer, [{ url: 'https://rose.example/mug', amount: 5000 }], {
    execution_method: 'payment_token',
  })
  const body = { merchant, amount, currency: 'USD', binding: { checkout_id: checkout } }
  const made = await buying.app.post(`/v1/purchase_intents/${id}/payment_tokens`, body, { key: buyer.key })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  expect(made.body.status).toBe('active')
  return { intent: id, token: made.body.token, id: made.body.id }
}

const paidBy = (token: string) => {
  const credential = { type: 'vault_token', token }
  return { payment: { instruments: [{ id: 'pi_1', handler_id: 'vault_token', type: 'card', credential }] } }
}
const complete = (checkout: string, token: string) =>
  ask(`/checkout-sessions/${checkout}/complete`, { body: paidBy(token) })

test('the merchant charges the approved purchase once, for the total of its checkout', async () => {
  const made = await create()
  const { intent, token } = await tokenFor(made.id, { amount: 3000 })
  expect((await complete(made.id, token)).body.status).toBe('complete_in_progress')
  const order = await orderOf(made.id)
  await answerOrder(order, 'confirmed')
  await becomes(made.id, 'completed')
  const bought = await buying.ended(buyer, intent)
  expect(bought).toMatchObject({ status: 'succeeded', actual_amount: total(made) })
  expect(await buying.moneyOf(order)).toEqual(['charge_credential 2700 approved', 'capture 2700 approved'])
  // The merchant has the order, and the account that paid has the purchase.
  expect((await buying.app.get(`/v1/orders/${order}`, { key: buyer.key })).status).toBe(404)
})

test('what the merchant rejects is released, and the purchase ends without a charge', async () => {
  const made = await create()
  const { intent, token } = await tokenFor(made.id)
  await complete(made.id, token)
  const order = await orderOf(made.id)
  await answerOrder(order, 'rejected')
  await becomes(made.id, 'canceled')
  const ended = await buying.ended(buyer, intent)
  expect(ended.status).not.toBe('succeeded')
  expect(ended.actual_amount ?? 0).toBe(0)
  expect((await buying.moneyOf(order)).at(-1)).toContain('void')
})

test('a token pays only what it was made for: this checkout, this merchant, this amount', async () => {
  const [made, other] = [await create(), await create({ line_items: mugs(2) })]
  const { token } = await tokenFor(made.id)
  const refusals = [
    [other.id, token, 'for another checkout'],
    [made.id, `${token}x`, 'no such payment token'],
    [made.id, 'pay', 'no such payment token'],
    [other.id, (await tokenFor(other.id, { amount: 4699 })).token, 'up to 4699 USD'],
  ] as const
  for (const [checkout, text, why] of refusals) {
    const { status, body } = await complete(checkout, text)
    expect([status, body.status]).toEqual([200, 'ready_for_complete'])
    expect(body.messages).toMatchObject([{ type: 'error', code: 'payment_failed' }])
    expect(body.messages[0].content).toContain(why)
    expect(JSON.stringify(body)).not.toContain(token)
  }
})

test('of two checkouts and two requests at once, one is paid', async () => {
  const made = await create()
  const { token } = await tokenFor(made.id)
  const both = await Promise.all([complete(made.id, token), complete(made.id, token)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  const order = await orderOf(made.id)
  await answerOrder(order, 'confirmed')
  await becomes(made.id, 'completed')
  expect(await buying.moneyOf(order)).toEqual(['charge_credential 2700 approved', 'capture 2700 approved'])
})

test('a frozen buyer pays nothing', async () => {
  const made = await create()
  const { token } = await tokenFor(made.id)
  expect(
    (await buying.app.post('/v1/controls/freeze', { target: { type: 'account' } }, { key: buyer.key }))
      .status,
  ).toBe(200)
  const { body } = await complete(made.id, token)
  expect(body.messages[0].content).toContain('frozen')
  await buying.app.post('/v1/controls/unfreeze', { target: { type: 'account' } }, { key: buyer.key })
})
