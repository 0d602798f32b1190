import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '../../../../../test/harness/app.ts'
import {
  cups,
  endByHand,
  eventTypesOf,
  holding,
  readPurchase,
  startByHand,
  tea,
} from '../../../../../test/harness/hand-worker.ts'
import {
  type FailedPurchase,
  failedPurchase,
  outcomeOf,
  retry,
  startRetryApp,
  stopRetryApp,
} from '../../../../../test/harness/retries.ts'
import { advanceTestClock } from '../../../../platform/clock/test-clock.ts'
import { changeIntent } from '../change-intent.ts'
import { expireApproval } from '../decide/expire-approval.ts'

let app: TestApp
beforeAll(async () => {
  app = await startRetryApp()
})
afterAll(() => stopRetryApp(app))

const always = { approval: { mode: 'always' } }
const change = ({ policyId }: FailedPurchase, body: object) => app.post(`/v1/policies/${policyId}`, body)
const approve = (id: string, body: object = {}, key = app.account.keys.secret_test) =>
  app.post(`/v1/purchase_intents/${id}/approve`, { approve: true, ...body }, { key })

/** Tea was bought for 11.00, the cups were not: `failed`, and in part bought. */
async function halfBought(): Promise<FailedPurchase & { carts: string[] }> {
  const failed = await failedPurchase(app, { approvedBy: 'policy', items: [tea, cups] })
  const first = await retry(app, failed.id, failed.agent.token)
  expect(outcomeOf(first)).toBe('queued')
  const carts: string[] = first.body.carts.map(({ id }: { id: string }) => id)
  await start(failed.id, 0, 1)
  await endByHand(app, failed.id, [
    { cart: 0, status: 'succeeded', amount: 1100n },
    { cart: 1, status: 'failed' },
  ])
  return { ...failed, carts }
}

async function start(id: string, ...carts: number[]): Promise<void> {
  for (const at of carts) {
    await holding(app, id, async (ctx, loaded) => {
      const cart = loaded.carts[at]
      if (cart) startByHand(ctx, loaded, cart.id)
    })
  }
}

/** The cups wait for somebody who says that they may be tried again. */
async function waiting(): Promise<FailedPurchase & { carts: string[] }> {
  const failed = await halfBought()
  await change(failed, always)
  expect(outcomeOf(await retry(app, failed.id, failed.agent.token))).toBe('awaiting_approval')
  return failed
}

const expire = (id: string) => holding(app, id, (ctx, loaded) => expireApproval(ctx, loaded))

test('a retry that needs an approval buys nothing, and says so with the decision of today', async () => {
  const failed = await waiting()
  const shown = await readPurchase(app, failed.id)
  expect(shown).toMatchObject({
    status: 'awaiting_approval',
    next_action: { type: 'approve' },
    policy_decision: { result: 'require_approval' },
    approval: { required: true, approved_by: 'policy', valid_until: null },
    partial: true,
    actual_amount: 1100,
    completed_at: null,
  })
  expect(shown.carts.map(({ status }: { status: string }) => status)).toEqual(['succeeded', 'failed'])
  expect((await eventTypesOf(app, failed.id)).slice(-2)).toEqual([
    'purchase_intent.retried',
    'purchase_intent.awaiting_approval',
  ])
  expect(outcomeOf(await retry(app, failed.id, failed.agent.token))).toBe('409 not_retryable')
})

test('the agent that asked for a retry cannot approve it, and another account does not see it', async () => {
  const { id, agent } = await waiting()
  expect(outcomeOf(await approve(id, {}, agent.token))).toBe('403 insufficient_scope')
  const stranger = app.stranger.keys.secret_test
  expect(outcomeOf(await approve(id, {}, stranger))).toBe('404 not_found')
  expect(outcomeOf(await retry(app, id, stranger))).toBe('404 not_found')
})

test('an approval tries again exactly the carts that were asked for', async () => {
  const failed = await failedPurchase(app, { approvedBy: 'policy', items: [tea, cups] })
  const [, second] = (await readPurchase(app, failed.id)).carts
  await change(failed, always)
  const asked = await retry(app, failed.id, failed.agent.token, { cart_ids: [second.id] })
  expect(outcomeOf(asked)).toBe('awaiting_approval')
  const { body } = await approve(failed.id)
  expect(body).toMatchObject({ status: 'approved', next_action: null, failure_reason: null })
  expect(body.carts).toMatchObject([
    { status: 'failed', attempt_number: 1 },
    { status: 'created', attempt_number: 2 },
  ])
  const { approved_at, valid_until, approved_by } = body.approval
  expect(approved_by).toBe('person')
  expect(Date.parse(valid_until) - Date.parse(approved_at)).toBe(7 * 86_400_000)
})

test('a card for which a retry waits is what the approval charges', async () => {
  const failed = await failedPurchase(app, { approvedBy: 'policy' })
  const other = await app.post(`/v1/profiles/${failed.buyer.profileId}/payment_methods`, {
    type: 'card',
    card: { kind: 'existing', vault_token_id: 'visa_ineligible', cardholder_name: 'Ada Lovelace' },
  })
  const asked = await retry(app, failed.id, failed.agent.token, {
    profile_payment_method_id: other.body.id,
  })
  expect(asked.body).toMatchObject({
    status: 'awaiting_approval',
    profile_payment_method_id: other.body.id,
    next_action: { type: 'verify_payment', method: 'cvc' },
  })
  expect(outcomeOf(await approve(failed.id))).toBe('409 payment_verification_required')
  const proven = await approve(failed.id, { temporary_cvc_token_id: 'cvc_3_digit' })
  expect(proven.body).toMatchObject({ status: 'approved', profile_payment_method_id: other.body.id })
})

test('an agent charges no other card for what a person approved, and a card that needs a step-up waits for one', async () => {
  const failed = await failedPurchase(app, { approvedBy: 'person' })
  const { body: other } = await app.post(`/v1/profiles/${failed.buyer.profileId}/payment_methods`, {
    type: 'card',
    card: { kind: 'existing', vault_token_id: 'visa_ineligible', cardholder_name: 'Ada Lovelace' },
  })
  const given = { profile_payment_method_id: other.id }
  expect(outcomeOf(await retry(app, failed.id, failed.agent.token, given))).toBe('403 insufficient_scope')
  const owner = await retry(app, failed.id, app.account.keys.secret_test, given)
  expect(outcomeOf(owner)).toBe('409 payment_verification_required')
})

test.each(['refused', 'expired'] as const)(
  'a retry whose approval is %s leaves the purchase failed as it was, and can be asked for again',
  async (how) => {
    const failed = await halfBought()
    const before = await readPurchase(app, failed.id)
    await change(failed, always)
    const { body: other } = await app.post(`/v1/profiles/${failed.buyer.profileId}/payment_methods`, {
      type: 'card',
      card: { kind: 'existing', vault_token_id: 'visa_ineligible', cardholder_name: 'Ada Lovelace' },
    })
    await retry(app, failed.id, failed.agent.token, { profile_payment_method_id: other.id })
    if (how === 'refused') expect(outcomeOf(await approve(failed.id, { approve: false }))).toBe('failed')
    else {
      await advanceTestClock(app.databaseUrl, 7 * 86_400 + 1)
      expect(outcomeOf(await approve(failed.id))).toBe('409 not_approvable')
      await expire(failed.id)
    }
    const after = await readPurchase(app, failed.id)
    for (const field of [
      'status',
      'partial',
      'actual_amount',
      'failure_reason',
      'carts',
      'profile_payment_method_id',
      'max_allowed_amount',
      'next_action',
    ])
      expect(after[field], field).toEqual(before[field])
    expect((await eventTypesOf(app, failed.id)).at(-1)).toBe('purchase_intent.failed')
    const { usage } = (await app.get(`/v1/policies/${failed.policyId}`)).body
    expect(usage[0]).toMatchObject({ reserved: 0 })
    expect(outcomeOf(await retry(app, failed.id, failed.agent.token))).toBe('awaiting_approval')
  },
)

test('the approval of a retry expires when the policies of today say', async () => {
  const failed = await failedPurchase(app, { approvedBy: 'policy' })
  await change(failed, { approval: { mode: 'always', expires_after_minutes: 30 } })
  const { body } = await retry(app, failed.id, failed.agent.token)
  expect(Date.parse(body.approval.expires_at) - Date.parse(body.updated_at)).toBe(30 * 60_000)
})

test('a purchase whose retry waits is cancelled as long as nothing of it was bought', async () => {
  const whole = await failedPurchase(app, { approvedBy: 'policy' })
  await change(whole, always)
  await retry(app, whole.id, whole.agent.token)
  const cancelled = await app.post(`/v1/purchase_intents/${whole.id}/cancel`, {}, { key: whole.agent.token })
  expect(cancelled.body).toMatchObject({ status: 'cancelled', partial: false, next_action: null })
  const half = await waiting()
  for (const body of [{}, { cart_ids: [half.carts[1]] }]) {
    const refused = await app.post(`/v1/purchase_intents/${half.id}/cancel`, body)
    expect(outcomeOf(refused)).toBe('409 not_cancellable')
  }
})

test('limits are those of the moment at which a retry is approved, and a full window lets it wait on', async () => {
  const failed = await waiting()
  await change(failed, { limits: { intervals: [{ interval: 'week', max_amount: 1200 }] } })
  expect(outcomeOf(await approve(failed.id))).toBe('409 policy_limit_exceeded')
  await change(failed, { limits: { per_transaction_max: 3099 } })
  // 20.00 for the cups, after 11.00 for the tea.
  expect(outcomeOf(await approve(failed.id))).toBe('409 policy_denied')
  await change(failed, { limits: { per_transaction_max: 3150 } })
  const approved = await approve(failed.id)
  expect(outcomeOf(approved)).toBe('approved')
  expect(approved.body.carts[1].max_allowed_amount).toBe(2050)
})

test('nothing unattended is charged above a threshold, with what the purchase was charged before', async () => {
  const failed = await halfBought()
  const upTo = (auto_approve_up_to: number) =>
    change(failed, { approval: { mode: 'above_threshold', auto_approve_up_to } })
  await upTo(3099)
  expect(outcomeOf(await retry(app, failed.id, failed.agent.token))).toBe('awaiting_approval')
  await approve(failed.id, { approve: false })
  await upTo(3150)
  const { body } = await retry(app, failed.id, failed.agent.token)
  expect(body).toMatchObject({ status: 'queued', policy_decision: { result: 'allow' } })
  expect(body.carts[1].max_allowed_amount).toBe(2050)
})

test('a retry that is decided again counts in the window’s purchases, and not in the day’s', async () => {
  const failed = await halfBought()
  const limits = (max_count: number) => ({
    limits: { intervals: [{ interval: 'all_time', max_count }], max_intents_per_day: 1 },
  })
  await change(failed, limits(1))
  expect(outcomeOf(await retry(app, failed.id, failed.agent.token))).toBe('409 policy_denied')
  await change(failed, limits(2))
  expect(outcomeOf(await retry(app, failed.id, failed.agent.token))).toBe('queued')
  const { usage } = (await app.get(`/v1/policies/${failed.policyId}`)).body
  expect(usage[0]).toMatchObject({ count: 2 })
})

test('of two keys that stand behind a retry the stricter verdict counts', async () => {
  const failed = await failedPurchase(app, { approvedBy: 'policy' })
  const other = await app.newKey(app.account, 'test', 'buyer_agent')
  const own = { name: 'Of the other', currency: 'EUR', scope: { api_key_ids: [other.id] } }
  const cap = await app.post('/v1/policies', { ...own, limits: { per_transaction_max: 100 } })
  expect(outcomeOf(await retry(app, failed.id, other.token))).toBe('409 policy_denied')
  await app.post(`/v1/policies/${cap.body.id}`, { limits: {}, approval: { mode: 'always' } })
  expect(outcomeOf(await retry(app, failed.id, other.token))).toBe('awaiting_approval')
  await app.post(`/v1/policies/${cap.body.id}`, {
    approval: null,
    limits: { per_transaction_max: 100 },
  })
  // Also for a person who approves a request of that key.
  expect(outcomeOf(await approve(failed.id))).toBe('409 policy_denied')
})

test('a key that may buy nothing unattended tries nothing again unattended', async () => {
  const failed = await failedPurchase(app, { approvedBy: 'policy' })
  await change(failed, { scope: { profile_ids: [failed.buyer.profileId], api_key_ids: [failed.agent.id] } })
  const other = await app.newKey(app.account, 'test', 'buyer_agent')
  expect(outcomeOf(await retry(app, failed.id, other.token))).toBe('awaiting_approval')
  await approve(failed.id, { approve: false })
  expect(outcomeOf(await retry(app, failed.id, failed.agent.token))).toBe('queued')
})

test('a retry that is decided again pays no more for shipping and a new price than policies allow today', async () => {
  const failed = await halfBought()
  await change(failed, {
    limits: { max_fulfillment_fee: 50 },
    price_drift: { tolerance_percent: 0, on_exceed: 'fail' },
  })
  const { body } = await retry(app, failed.id, failed.agent.token)
  expect(body.status).toBe('queued')
  await holding(app, failed.id, async (_, { intent, carts }) => {
    expect([intent.tolerance_basis_points, intent.on_price_exceed]).toEqual([0, 'fail'])
    expect(carts[1]).toMatchObject({ fee_allowance: 50n, tolerance_basis_points: 0 })
    // 20.00, 12 % tax, shipping.
    expect(carts[1]?.max_allowed_amount).toBe(2000n + 240n + 50n)
  })
})

test('a merchant that a retry does not buy from is not asked about', async () => {
  const failed = await halfBought()
  await change(failed, { merchants: { block: ['tea.example'] } })
  expect(outcomeOf(await retry(app, failed.id, failed.agent.token))).toBe('queued')
})

test('a person can resolve another cart while a retry waits, and the retry waits on', async () => {
  const failed = await failedPurchase(app, { approvedBy: 'policy', items: [tea, cups] })
  await retry(app, failed.id, failed.agent.token)
  await start(failed.id, 0, 1)
  await holding(app, failed.id, async (ctx, loaded) => {
    const offer = {
      subtotal: 1000,
      fulfillment: 0,
      tax: 80,
      discount: 0,
      total: 1080,
      as_of: ctx.now.toISOString(),
    }
    const [cart] = loaded.carts
    if (cart) changeIntent(ctx, loaded, { carts: [{ id: cart.id, changes: { offer } }], events: [] })
  })
  await endByHand(app, failed.id, [
    { cart: 0, status: 'failed', unknown: true },
    { cart: 1, status: 'failed' },
  ])
  await change(failed, always)
  expect(outcomeOf(await retry(app, failed.id, failed.agent.token))).toBe('awaiting_approval')
  const usage = async () => (await app.get(`/v1/policies/${failed.policyId}`)).body.usage[0]
  expect((await usage()).reserved).toBeGreaterThan(0)
  const [unknown] = (await readPurchase(app, failed.id)).carts
  const found = await app.post(`/v1/purchase_intents/${failed.id}/reconcile`, {
    cart_id: unknown.id,
    outcome: 'placed',
  })
  expect(found.body).toMatchObject({ status: 'awaiting_approval', partial: true, actual_amount: 1080 })
  expect(await usage()).toMatchObject({ reserved: 0, spent: 1080 })
  expect(outcomeOf(await approve(failed.id))).toBe('approved')
  await start(failed.id, 1)
  await endByHand(app, failed.id, [{ cart: 1, status: 'succeeded', amount: 2000n }])
  expect(await readPurchase(app, failed.id)).toMatchObject({ status: 'succeeded', actual_amount: 3080 })
  expect(await usage()).toMatchObject({ reserved: 0, spent: 3080 })
})

test('the same retry under the same idempotency key asks once', async () => {
  const failed = await failedPurchase(app, { approvedBy: 'policy' })
  await change(failed, always)
  const send = () =>
    app.post(
      `/v1/purchase_intents/${failed.id}/retry`,
      {},
      {
        key: failed.agent.token,
        headers: { 'idempotency-key': `again-${failed.id}` },
      },
    )
  const [first, second] = [await send(), await send()]
  expect([first.status, second.status]).toEqual([200, 200])
  expect(second.body).toEqual(first.body)
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  const retried = (await eventTypesOf(app, failed.id)).filter((type) => type === 'purchase_intent.retried')
  expect(retried).toHaveLength(1)
})
