import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { brokenInvariants } from '../../../../../test/harness/broken-invariants.ts'
import { type Buyer, createPurchase, newBuyer } from '../../../../../test/harness/buyers.ts'
import {
  cups,
  endByHand,
  eventTypesOf,
  holding,
  readPurchase,
  runningPurchase,
  startByHand,
  tea,
} from '../../../../../test/harness/hand-worker.ts'
import { statement } from '../../../../contract/statement.ts'

import { policyInvariants } from '../../../policies/invariants.sql.ts'
import { changeIntent } from '../change-intent.ts'
import { purchaseIntentInvariants } from '../invariants.ts'

let app: TestApp
let buyer: Buyer
beforeAll(async () => {
  app = await startTestApp()
  buyer = await newBuyer(app)
})
afterAll(async () => {
  const broken = await brokenInvariants(app, [...purchaseIntentInvariants, ...policyInvariants])
  await app.stop()
  expect(broken).toEqual([])
})

test('a cancel of everything, when something was bought, says how to cancel the rest, which then works', async () => {
  const { id, carts } = await runningPurchase(app, buyer, { items: [tea, cups] })
  await endByHand(app, id, [{ cart: 0, status: 'succeeded', amount: 1100n }])
  const running = await readPurchase(app, id)
  expect(running.summary).toBe('1 of 2 shops sold so far: €11.00 charged. The rest is being bought.')
  const refused = await app.post(`/v1/purchase_intents/${id}/cancel`)
  expect([refused.status, refused.body.detail.code]).toEqual([409, 'not_cancellable'])
  expect(refused.body.detail.message).toContain('`cart_ids` cancels the others')
  const { body } = await app.post(`/v1/purchase_intents/${id}/cancel`, { cart_ids: [carts[1]] })
  expect([body.status, body.partial, body.summary]).toEqual([
    'succeeded',
    true,
    '1 of 2 shops sold: €11.00 charged. The rest was cancelled.',
  ])
})

test('a purchase succeeds with what its carts were charged', async () => {
  const { id } = await runningPurchase(app, buyer, { items: [tea, cups] })
  await endByHand(app, id, [
    { cart: 0, status: 'succeeded', amount: 1100n },
    { cart: 1, status: 'succeeded', amount: 2200n },
  ])
  expect(await readPurchase(app, id)).toMatchObject({
    status: 'succeeded',
    actual_amount: 3300,
    partial: false,
    failure_reason: null,
  })
  const refused = await app.post(`/v1/purchase_intents/${id}/cancel`)
  expect([refused.status, refused.body.detail.code]).toEqual([409, 'not_cancellable'])
  expect(refused.body.detail.message).toContain('has ended (`succeeded`)')
})

test('a charge above the cap is refused by the database itself', async () => {
  const { id } = await runningPurchase(app, buyer)
  await expect(endByHand(app, id, [{ cart: 0, status: 'succeeded', amount: 2941n }])).rejects.toThrow(
    /within_cap/,
  )
  expect(await readPurchase(app, id)).toMatchObject({ status: 'approved', actual_amount: 0 })
})

test('a move that the state tables do not know is refused', async () => {
  const { body } = await createPurchase(app, buyer)
  const jump = holding(app, body.id, async (ctx, loaded) =>
    changeIntent(ctx, loaded, { intent: { status: 'succeeded' }, events: [] }),
  )
  await expect(jump).rejects.toThrow('cannot go from awaiting_approval to succeeded')
})

test('carts are cancelled one by one or all together, and one that has begun is cleaned up by a worker', async () => {
  const one = await runningPurchase(app, buyer, { items: [tea, cups] })
  const first = await app.post(`/v1/purchase_intents/${one.id}/cancel`, {
    cart_ids: [one.carts[0]],
    reason: 'too many',
  })
  expect(first.body).toMatchObject({ status: 'approved', cancel_reason: 'too many' })
  expect(first.body.carts.map(({ status }: { status: string }) => status)).toEqual([
    'cancelled',
    'in_progress',
  ])
  await holding(app, one.id, async (_, loaded) => {
    expect(loaded.carts[0]).toMatchObject({ stage: 'cleanup', due_at: expect.any(Date) })
  })
  await endByHand(app, one.id, [{ cart: 1, status: 'succeeded', amount: 2000n }])
  expect(await readPurchase(app, one.id)).toMatchObject({
    status: 'succeeded',
    partial: true,
    actual_amount: 2000,
  })
  const all = await runningPurchase(app, buyer, { items: [tea, cups] })
  expect((await app.post(`/v1/purchase_intents/${all.id}/cancel`)).body.status).toBe('cancelled')
  expect((await eventTypesOf(app, all.id)).slice(-3)).toEqual([
    'cart.cancelled',
    'cart.cancelled',
    'purchase_intent.cancelled',
  ])
  const unknown = await app.post(`/v1/purchase_intents/${all.id}/cancel`, { cart_ids: [one.carts[0]] })
  expect([unknown.status, unknown.body.detail.param]).toEqual([404, 'cart_ids[0]'])
})

test('without the cart that waits at a sign-in, the purchase waits for no person and the other carts go on', async () => {
  const { id, carts } = await runningPurchase(app, buyer, { items: [tea, cups] })
  await holding(app, id, async (ctx, loaded) => {
    const [cart] = loaded.carts
    if (!cart) throw new Error('no cart')
    changeIntent(ctx, loaded, {
      intent: {
        status: 'awaiting_merchant_auth',
        next_action: { type: 'merchant_sign_in', cart_id: cart.id, element: null, expires_at: null },
      },
      carts: [{ id: cart.id, changes: { status: 'awaiting_merchant_auth' } }],
      events: [
        { type: 'cart.awaiting_merchant_auth', cartId: cart.id },
        { type: 'purchase_intent.awaiting_merchant_auth', cartId: cart.id },
      ],
    })
  })
  const rest = await app.post(`/v1/purchase_intents/${id}/cancel`, { cart_ids: [carts[0]] })
  expect(rest.body).toMatchObject({ status: 'approved', next_action: null })
  expect((await eventTypesOf(app, id)).slice(-2)).toEqual(['cart.cancelled', 'purchase_intent.approved'])
  await endByHand(app, id, [{ cart: 1, status: 'succeeded', amount: 2000n }])
  expect(await readPurchase(app, id)).toMatchObject({ status: 'succeeded', partial: true })
})

test('a retry runs the failed cart again inside its cap, and counts only once against the policy', async () => {
  const own = await newBuyer(app)
  const policy = await app.post('/v1/policies', {
    name: 'Weekly',
    currency: 'EUR',
    scope: { profile_ids: [own.profileId] },
    limits: { intervals: [{ interval: 'all_time', max_amount: 100_000, max_count: 1 }] },
    approval: { mode: 'always' },
  })
  const { id } = await runningPurchase(app, own, { items: [tea, cups] })
  await endByHand(app, id, [
    { cart: 0, status: 'succeeded', amount: 1100n },
    { cart: 1, status: 'failed' },
  ])
  expect(await readPurchase(app, id)).toMatchObject({
    status: 'failed',
    partial: true,
    actual_amount: 1100,
    failure_reason: { code: 'payment_declined' },
  })
  const retried = await app.post(`/v1/purchase_intents/${id}/retry`)
  expect(retried.body).toMatchObject({
    status: 'approved',
    failure_reason: null,
    completed_at: null,
    partial: false,
  })
  expect(retried.body.carts[1]).toMatchObject({ status: 'created', attempt_number: 2, failure_reason: null })
  await holding(app, id, async (ctx, loaded) => {
    const cart = loaded.carts[1]
    if (cart) startByHand(ctx, loaded, cart.id)
  })
  await endByHand(app, id, [{ cart: 1, status: 'succeeded', amount: 2100n }])
  expect(await readPurchase(app, id)).toMatchObject({
    status: 'succeeded',
    actual_amount: 3200,
    partial: false,
  })
  const { usage } = (await app.get(`/v1/policies/${policy.body.id}`)).body
  expect(usage).toMatchObject([{ interval: 'all_time', spent: 3200, reserved: 0, count: 1 }])
})

test('a retry stops after the last attempt, and takes no ticket that was never made', async () => {
  const { id } = await runningPurchase(app, buyer)
  const ticket = await app.post(`/v1/purchase_intents/${id}/retry`, { credential_ticket_id: 'ticket_x' })
  expect([ticket.status, ticket.body.detail.param]).toEqual([404, 'credential_ticket_id'])
  for (let attempt = 1; attempt <= 3; attempt++) {
    await endByHand(app, id, [{ cart: 0, status: 'failed' }])
    const { status } = await app.post(`/v1/purchase_intents/${id}/retry`)
    expect(status).toBe(attempt < 3 ? 200 : 409)
  }
  expect((await readPurchase(app, id)).carts[0]).toMatchObject({ attempt_number: 3, can_retry: false })
})

test('an unknown outcome keeps its reservation until a person resolves it', async () => {
  const own = await newBuyer(app)
  const policy = await app.post('/v1/policies', {
    name: 'Ever',
    currency: 'EUR',
    scope: { profile_ids: [own.profileId] },
    limits: { intervals: [{ interval: 'all_time', max_amount: 100_000 }] },
    approval: { mode: 'always' },
  })
  const { id, carts } = await runningPurchase(app, own)
  await endByHand(app, id, [{ cart: 0, status: 'failed', unknown: true }])
  const failed = await readPurchase(app, id)
  expect(failed).toMatchObject({
    status: 'failed',
    next_action: { type: 'resolve_unknown_outcome', cart_id: carts[0] },
  })
  expect(failed.carts[0].can_retry).toBe(false)
  const usage = async () => (await app.get(`/v1/policies/${policy.body.id}`)).body.usage[0]
  expect(await usage()).toMatchObject({ reserved: 2940, spent: 0 })
  expect((await app.post(`/v1/purchase_intents/${id}/retry`)).body.detail.code).toBe('not_retryable')
  const resolved = await app.post(`/v1/purchase_intents/${id}/reconcile`, {
    cart_id: carts[0],
    outcome: 'not_placed',
  })
  expect(resolved.body).toMatchObject({ status: 'failed', next_action: null })
  // Until a worker has looked for what may be left of the attempt.
  expect(resolved.body.carts[0].can_retry).toBe(false)
  await holding(app, id, async (_, loaded) => {
    expect(loaded.carts[0]).toMatchObject({ stage: 'cleanup', due_at: expect.any(Date) })
  })
  expect(await usage()).toMatchObject({ reserved: 0, spent: 0 })
  const again = await app.post(`/v1/purchase_intents/${id}/reconcile`, {
    cart_id: carts[0],
    outcome: 'placed',
  })
  expect([again.status, again.body.detail.code]).toEqual([409, 'not_reconcilable'])
})

test('a cart that turns out placed makes the purchase succeed at the price of its offer', async () => {
  const { id, carts } = await runningPurchase(app, buyer)
  const offer = {
    subtotal: 2000,
    fulfillment: 500,
    tax: 160,
    discount: 0,
    total: 2660,
    as_of: new Date(0).toISOString(),
  }
  await holding(app, id, async (ctx, loaded) => {
    const cart = loaded.carts[0]
    if (cart)
      changeIntent(ctx, loaded, {
        carts: [{ id: cart.id, changes: { offer } }],
        events: [{ type: 'cart.offer_updated', cartId: cart.id }],
      })
  })
  await endByHand(app, id, [{ cart: 0, status: 'failed', unknown: true }])
  const placed = await app.post(`/v1/purchase_intents/${id}/reconcile`, {
    cart_id: carts[0],
    outcome: 'placed',
    order_id: 'SO-1',
  })
  expect(placed.body).toMatchObject({
    status: 'succeeded',
    actual_amount: 2660,
    carts: [{ status: 'succeeded', order_id: 'SO-1' }],
  })
  expect((await eventTypesOf(app, id)).slice(-2)).toEqual([
    'purchase_intent.reconciled',
    'purchase_intent.succeeded',
  ])
})

/** What the rail took, as execution writes it down. */
async function chargeByHand(intentId: string, captured: bigint): Promise<void> {
  await holding(app, intentId, async (ctx, { carts }) => {
    const [cart] = carts
    if (!cart) throw new Error('no such cart')
    ctx.tx.write(
      insertCharge({
        account_id: ctx.tenant.accountId,
        mode: ctx.tenant.mode,
        cart_id: cart.id,
        intent_id: intentId,
        amount: cart.max_allowed_amount,
        captured,
        status: captured > 0n ? 'captured' : 'voided',
        now: ctx.now,
      }),
    )
  })
}

const insertCharge = statement<
  never,
  {
    account_id: string
    mode: string
    cart_id: string
    intent_id: string
    amount: bigint
    captured: bigint
    status: string
    now: Date
  }
>(
  'insert_test_charge',
  `insert into authorizations (account_id, mode, cart_id, attempt, intent_id, kind, reference, amount, captured_amount, currency,
     status, expires_at, created_at, updated_at)
   values ($account_id, $mode, $cart_id, 1, $intent_id, 'credential', 'ref', $amount, $captured, 'EUR', $status, $now, $now, $now)`,
)

test('a cart cannot be tried again while the charge of its card stands, not even by a decision of a person', async () => {
  const { id, carts } = await runningPurchase(app, buyer)
  await chargeByHand(id, 2111n)
  await endByHand(app, id, [{ cart: 0, status: 'failed', unknown: true }])
  const answered = await app.post(`/v1/purchase_intents/${id}/reconcile`, {
    cart_id: carts[0],
    outcome: 'not_placed',
  })
  expect(answered.body).toMatchObject({ status: 'failed', actual_amount: 0, carts: [{ can_retry: false }] })
  expect((await app.post(`/v1/purchase_intents/${id}/retry`)).body.detail.code).toBe('not_retryable')
})

test('an order that was placed cost what the card was charged for it', async () => {
  const { id, carts } = await runningPurchase(app, buyer)
  await chargeByHand(id, 2111n)
  await endByHand(app, id, [{ cart: 0, status: 'failed', unknown: true }])
  const placed = await app.post(`/v1/purchase_intents/${id}/reconcile`, {
    cart_id: carts[0],
    outcome: 'placed',
  })
  expect(placed.body).toMatchObject({ status: 'succeeded', actual_amount: 2111 })
})

test('an order that was placed although its money was released cost nothing', async () => {
  const { id, carts } = await runningPurchase(app, buyer)
  await chargeByHand(id, 0n)
  await endByHand(app, id, [{ cart: 0, status: 'failed', unknown: true }])
  const placed = await app.post(`/v1/purchase_intents/${id}/reconcile`, {
    cart_id: carts[0],
    outcome: 'placed',
  })
  expect(placed.body).toMatchObject({ status: 'succeeded', actual_amount: 0 })
})

test('a key that may not approve retries with the card that was approved, and with no other', async () => {
  const own = await newBuyer(app)
  const other = await app.post(`/v1/profiles/${own.profileId}/payment_methods`, {
    type: 'card',
    card: {
      kind: 'existing',
      vault_token_id: 'mastercard_auto_approved',
      agentic_credentials_enrollment_requested: true,
      agentic_terms_acknowledged: true,
    },
  })
  const { id } = await runningPurchase(app, own)
  await endByHand(app, id, [{ cart: 0, status: 'failed' }])
  const key = app.account.keys.agent_test
  const swapped = await app.post(
    `/v1/purchase_intents/${id}/retry`,
    { profile_payment_method_id: other.body.id },
    { key },
  )
  expect([swapped.status, swapped.body.detail.code]).toEqual([403, 'insufficient_scope'])
  expect((await app.post(`/v1/purchase_intents/${id}/retry`, {}, { key })).body.status).toBe('approved')
})

test('a retry and the earlier carts together fit the limit for one purchase', async () => {
  const own = await newBuyer(app)
  const policy = await app.post('/v1/policies', {
    name: 'Each',
    currency: 'EUR',
    scope: { profile_ids: [own.profileId] },
    limits: { per_transaction_max: 10_000 },
    approval: { mode: 'always' },
  })
  const { id } = await runningPurchase(app, own, { items: [tea, cups] })
  await endByHand(app, id, [
    { cart: 0, status: 'succeeded', amount: 1100n },
    { cart: 1, status: 'failed' },
  ])
  const limit = (per_transaction_max: number) =>
    app.post(`/v1/policies/${policy.body.id}`, { limits: { per_transaction_max } })
  await limit(3000)
  const refused = await app.post(`/v1/purchase_intents/${id}/retry`)
  expect([refused.status, refused.body.detail.code]).toEqual([409, 'policy_denied'])
  await limit(3200)
  const { carts } = (await app.post(`/v1/purchase_intents/${id}/retry`)).body
  expect(carts[1]).toMatchObject({ status: 'created', max_allowed_amount: 2100 })
})
