import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { brokenInvariants } from '../../../../../test/harness/broken-invariants.ts'
import { type Buyer, newBuyer } from '../../../../../test/harness/buyers.ts'
import {
  askPriceByHand,
  cups,
  endByHand,
  holding,
  readPurchase,
  runningPurchase,
  tea,
} from '../../../../../test/harness/hand-worker.ts'

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

const ask = (id: string, unitAmount: bigint) => askPriceByHand(app, id, unitAmount)

/** How a purchase stood, one after the other, as somebody knows who reads nothing but its events. */
async function heardOf(id: string): Promise<string[]> {
  const { body } = await app.get(`/v1/purchase_intents/${id}/events?limit=200`)
  const events: { type: string; data: { purchase_intent?: { status: string } } }[] = body.data
  return events.flatMap(({ type, data }) =>
    data.purchase_intent ? [`${type.split('.')[1]}: ${data.purchase_intent.status}`] : [],
  )
}

test('a new price is asked about with its cap, and an approval exchanges the terms', async () => {
  const { id } = await runningPurchase(app, buyer, { items: [tea, cups] })
  expect(await ask(id, 1200n)).toMatchObject({ ok: true })
  const asked = await readPurchase(app, id)
  expect(asked).toMatchObject({
    status: 'awaiting_approval',
    next_action: {
      type: 'reapprove_price',
      proposal: { items: [{ unit_amount: 1200 }], expected_amount: 3200 },
    },
  })
  const cap = asked.next_action.proposal.max_allowed_amount
  expect(cap).toBeGreaterThan(asked.max_allowed_amount)
  const stale = await app.post(`/v1/purchase_intents/${id}/approve`, {
    approve: true,
    max_allowed_amount: asked.max_allowed_amount,
  })
  expect(stale.body.detail.code).toBe('approval_stale')
  const approved = await app.post(`/v1/purchase_intents/${id}/approve`, {
    approve: true,
    max_allowed_amount: cap,
  })
  expect(approved.body).toMatchObject({
    status: 'approved',
    expected_amount: 3200,
    max_allowed_amount: cap,
    next_action: null,
  })
  await endByHand(app, id, [
    { cart: 0, status: 'succeeded', amount: 1200n },
    { cart: 1, status: 'succeeded', amount: 2000n },
  ])
  expect((await readPurchase(app, id)).status).toBe('succeeded')
})

test('the terms that were approved are not asked about again', async () => {
  const { id } = await runningPurchase(app, buyer, { items: [tea, cups] })
  expect(await ask(id, 1000n)).toMatchObject({ ok: false, refusal: { code: 'price_changed' } })
  expect((await readPurchase(app, id)).next_action).toBeNull()
})

test('a new price above what the caller allows is never asked about', async () => {
  const { id } = await runningPurchase(app, buyer, { items: [tea, cups], max_amount: 3100 })
  expect(await ask(id, 1200n)).toMatchObject({ ok: false, refusal: { code: 'max_amount_exceeded' } })
})

test('a new price that is refused before anything was charged declines the purchase and stops the other cart', async () => {
  const { id } = await runningPurchase(app, buyer, { items: [tea, cups] })
  await ask(id, 1200n)
  const refused = await app.post(`/v1/purchase_intents/${id}/approve`, { approve: false })
  expect(refused.body).toMatchObject({ status: 'declined', partial: false })
  expect(refused.body.carts.map(({ status }: { status: string }) => status)).toEqual(['failed', 'cancelled'])
})

test('a new price that is refused after another cart was charged fails the purchase in part', async () => {
  const { id } = await runningPurchase(app, buyer, { items: [tea, cups] })
  await ask(id, 1200n)
  await endByHand(app, id, [{ cart: 1, status: 'succeeded', amount: 2000n }])
  const refused = await app.post(`/v1/purchase_intents/${id}/approve`, { approve: false })
  expect(refused.body).toMatchObject({
    status: 'failed',
    partial: true,
    actual_amount: 2000,
    failure_reason: { code: 'price_changed' },
  })
})

test('a refused price beside an unknown outcome leaves that outcome to be resolved', async () => {
  const { id, carts } = await runningPurchase(app, buyer, { items: [tea, cups] })
  await ask(id, 1200n)
  await endByHand(app, id, [{ cart: 1, status: 'failed', unknown: true }])
  const refused = await app.post(`/v1/purchase_intents/${id}/approve`, { approve: false })
  expect(refused.body).toMatchObject({
    status: 'failed',
    next_action: { type: 'resolve_unknown_outcome', cart_id: carts[1] },
    failure_reason: { code: 'price_changed' },
  })
})

test('cancelling the cart whose price is in question lets the rest go on under the approval it had', async () => {
  const { id, carts } = await runningPurchase(app, buyer, { items: [tea, cups] })
  await ask(id, 1200n)
  const rest = await app.post(`/v1/purchase_intents/${id}/cancel`, { cart_ids: [carts[0]] })
  expect(rest.body).toMatchObject({ status: 'approved', next_action: null })
  await endByHand(app, id, [{ cart: 1, status: 'succeeded', amount: 2000n }])
  expect(await readPurchase(app, id)).toMatchObject({ status: 'succeeded', partial: true })
})

test('a question that is cancelled is heard of, although nothing is left to do', async () => {
  const { id, carts } = await runningPurchase(app, buyer, { items: [tea, cups] })
  await ask(id, 1200n)
  await endByHand(app, id, [{ cart: 1, status: 'succeeded', amount: 2000n }])
  const ended = await app.post(`/v1/purchase_intents/${id}/cancel`, { cart_ids: [carts[0]] })
  expect(ended.body).toMatchObject({ status: 'succeeded', partial: true })
  expect((await heardOf(id)).slice(-3)).toEqual([
    'reapproval_required: awaiting_approval',
    'approved: approved',
    'succeeded: succeeded',
  ])
})

test('when a new price is refused beside a cart that cannot be stopped, events show that the cart goes on', async () => {
  const { id, carts } = await runningPurchase(app, buyer, { items: [tea, cups] })
  await ask(id, 1200n)
  await holding(app, id, async (ctx, loaded) => {
    const [, other] = loaded.carts
    if (!other) throw new Error('no such cart')
    return changeIntent(ctx, loaded, {
      carts: [{ id: other.id, changes: { past_no_return: true } }],
      events: [],
    })
  })
  const refused = await app.post(`/v1/purchase_intents/${id}/approve`, { approve: false })
  expect(refused.body).toMatchObject({ status: 'approved', next_action: null })
  expect((await heardOf(id)).slice(-2)).toEqual([
    'reapproval_required: awaiting_approval',
    'approved: approved',
  ])
  await endByHand(app, id, [{ cart: 1, status: 'succeeded', amount: 2000n }])
  expect(await readPurchase(app, id)).toMatchObject({
    status: 'failed',
    partial: true,
    carts: [{ id: carts[0] }, {}],
  })
})

test('a purchase cannot move without an event that says so', async () => {
  const { id } = await runningPurchase(app, buyer, { items: [tea, cups] })
  const silent = holding(app, id, async (ctx, loaded) =>
    changeIntent(ctx, loaded, { intent: { status: 'awaiting_approval' }, events: [] }),
  )
  await expect(silent).rejects.toThrow('no event says so')
  expect((await readPurchase(app, id)).status).toBe('approved')
})
