import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { brokenInvariants } from '../../../../../test/harness/broken-invariants.ts'
import { type Buyer, createPurchase, newBuyer } from '../../../../../test/harness/buyers.ts'
import { eventTypesOf, holding, readPurchase } from '../../../../../test/harness/hand-worker.ts'
import { behindALock } from '../../../../../test/races/behind-a-lock.ts'
import { advanceTestClock, installTestClock } from '../../../../platform/clock/test-clock.ts'

import { policyInvariants } from '../../../policies/invariants.sql.ts'
import { purchaseIntentInvariants } from '../invariants.ts'
import { expireApproval } from './expire-approval.ts'

let app: TestApp
let buyer: Buyer
beforeAll(async () => {
  app = await startTestApp({ testClock: true })
  await installTestClock(app.databaseUrl)
  buyer = await newBuyer(app)
})
afterAll(async () => {
  const all = [...purchaseIntentInvariants, ...policyInvariants]
  // Nobody executes here, and the clock is moved: what was approved stays due.
  const broken = await brokenInvariants(
    app,
    all.filter(({ id }) => id !== 'W2-overdue'),
  )
  await app.stop()
  expect(broken).toEqual([])
})

test('an approval says that a person gave it and hands the purchase over', async () => {
  const { body } = await createPurchase(app, buyer)
  const { status, body: approved } = await app.post(`/v1/purchase_intents/${body.id}/approve`, {
    approve: true,
  })
  expect(status).toBe(200)
  expect(approved).toMatchObject({
    status: 'approved',
    carts: [],
    next_action: null,
    approval: { required: true },
  })
  expect(approved.approval.approved_by).toBe('person')
  const { body: rows } = await app.get('/v1/purchase_intents?limit=1')
  expect(rows.data[0]).toMatchObject({ id: body.id, approved_by: 'person' })
  const again = await app.post(`/v1/purchase_intents/${body.id}/approve`, { approve: true })
  expect([again.status, again.body.detail.code]).toEqual([409, 'not_approvable'])
  expect(await eventTypesOf(app, body.id)).toEqual([
    'purchase_intent.created',
    'purchase_intent.awaiting_approval',
    'purchase_intent.approved',
  ])
})

test('of many approvals at once one is taken', async () => {
  const { body } = await createPurchase(app, buyer)
  const all = await Promise.all(
    Array.from({ length: 6 }, () => app.post(`/v1/purchase_intents/${body.id}/approve`, { approve: true })),
  )
  expect(all.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
})

test('approve, refuse and cancel at once end in some order of theirs', async () => {
  for (let round = 0; round < 5; round++) {
    const { body } = await createPurchase(app, buyer)
    const path = `/v1/purchase_intents/${body.id}`
    const answers = await Promise.all([
      app.post(`${path}/approve`, { approve: true }),
      app.post(`${path}/approve`, { approve: false }),
      app.post(`${path}/cancel`),
    ])
    expect(answers.filter(({ status }) => ![200, 409].includes(status))).toEqual([])
    expect(['declined', 'cancelled']).toContain((await readPurchase(app, body.id)).status)
  }
})

test('a refusal declines the purchase for good', async () => {
  const { body } = await createPurchase(app, buyer)
  expect((await app.post(`/v1/purchase_intents/${body.id}/approve`, { approve: false })).body.status).toBe(
    'declined',
  )
  for (const step of ['approve', 'cancel', 'retry']) {
    const refused = await app.post(
      `/v1/purchase_intents/${body.id}/${step}`,
      step === 'approve' ? { approve: true } : {},
    )
    expect(refused.status).toBe(409)
  }
})

test("an agent's key can create and cancel, and not approve or reconcile", async () => {
  const { token: key } = await app.newKey(app.account, 'test', 'buyer_agent')
  const { status, body } = await createPurchase(app, buyer, {}, { key })
  expect(status).toBe(201)
  for (const step of ['approve', 'reconcile']) {
    const refused = await app.post(`/v1/purchase_intents/${body.id}/${step}`, {}, { key })
    expect([refused.status, refused.body.detail.code]).toEqual([403, 'insufficient_scope'])
  }
  const instead =
    'A person must approve this. Show them `summary`, then call v1_get_purchase_intent with wait_seconds and after_sequence.'
  const rest = await app.post(`/v1/purchase_intents/${body.id}/approve`, { approve: true }, { key })
  expect(rest.body.detail.message).toContain(instead)
  const tool = await app.mcp(
    'v1_approve_purchase_intent',
    { purchase_intent_id: body.id, approve: true },
    { key },
  )
  expect([tool.isError, tool.body.detail.message]).toEqual([true, rest.body.detail.message])
  expect((await app.post(`/v1/purchase_intents/${body.id}/cancel`, {}, { key })).body.status).toBe(
    'cancelled',
  )
})

test('a card that needs its code is approved with the right one only', async () => {
  const coded = await newBuyer(app, { enrolled: false })
  const { body } = await createPurchase(app, coded)
  const path = `/v1/purchase_intents/${body.id}/approve`
  for (const wrong of [{}, { temporary_cvc_token_id: 'cvc_4_digit' }]) {
    const refused = await app.post(path, { approve: true, ...wrong })
    expect([refused.status, refused.body.detail.code]).toEqual([409, 'payment_verification_required'])
    expect(refused.body.detail.next_action).toMatchObject({ type: 'verify_payment', method: 'cvc' })
  }
  expect((await app.post(path, { approve: true, temporary_cvc_token_id: '111' })).status).toBe(422)
  expect((await app.post(path, { approve: true, temporary_cvc_token_id: 'cvc_3_digit' })).body.status).toBe(
    'approved',
  )
})

/** A buyer with a card that is enrolled and asks for a one-time password at approval. */
async function newOtpBuyer() {
  const made = await newBuyer(app, { card: 'visa_otp_required' })
  const path = `/v1/profiles/${made.profileId}/payment_methods/${made.paymentMethodId}`
  const verified = await app.post(`${path}/verify`, { method: 'otp', code: '123456' })
  expect(verified.body.card.agentic_credentials_status).toBe('active')
  return {
    ...made,
    method: async () => (await app.get(path)).body,
    /** Approves a purchase of its own, so that guesses share nothing but the card. */
    async guess(code: string, more: Record<string, unknown> = {}) {
      const { body } = await createPurchase(app, made)
      const proof = { payment_verification: { method: 'otp', code } }
      return app.post(`/v1/purchase_intents/${body.id}/approve`, { approve: true, ...proof, ...more })
    },
  }
}

test('the third wrong password in a row at approvals ends the enrolment, and the right one comes too late', async () => {
  const guessing = await newOtpBuyer()
  const methods = []
  for (let time = 0; time < 3; time++) {
    const refused = await guessing.guess('000000')
    expect([refused.status, refused.body.detail.code]).toEqual([409, 'payment_verification_required'])
    methods.push(refused.body.detail.next_action.method)
  }
  expect(methods).toEqual(['otp', 'otp', 'cvc'])
  expect(await guessing.method()).toMatchObject({ card: { agentic_credentials_status: 'rejected' } })
  const late = await guessing.guess('123456')
  expect([late.status, late.body.detail.next_action.method]).toEqual([409, 'cvc'])
  const coded = await guessing.guess('123456', { temporary_cvc_token_id: 'cvc_3_digit' })
  expect(coded.body.status).toBe('approved')
})

test('of many guesses at once three are tried', async () => {
  const guessing = await newOtpBuyer()
  const wrong = Array.from({ length: 12 }, (_, index) => guessing.guess(String(index).padStart(6, '0')))
  const answers = await Promise.all(wrong)
  expect(answers.map(({ status }) => status)).toEqual(wrong.map(() => 409))
  const refusals = await app.sql(
    `select from events where aggregate_id = $1 and type = 'payment_method.verification_refused'`,
    [guessing.paymentMethodId],
  )
  expect(refusals).toHaveLength(3)
})

test('of passwords that are tried at once, the right one waits for earlier wrong ones, and behind the third it comes too late', async () => {
  const guessing = await newOtpBuyer()
  const right = await behindALock(
    app,
    (query) =>
      query(
        `update payment_methods set agentic_status = 'rejected', pending_steps = '{}', failed_verifications = 3, seq = seq + 1 where id = $1`,
        guessing.paymentMethodId,
      ),
    () => guessing.guess('123456'),
  )
  expect([right.status, right.body.detail?.next_action?.method]).toEqual([409, 'cvc'])
})

test('the right password lets wrong ones before it be forgotten; another kind of proof, or a repeat, is no guess', async () => {
  const guessing = await newOtpBuyer()
  const { body } = await createPurchase(app, guessing)
  const path = `/v1/purchase_intents/${body.id}/approve`
  const wrong = { approve: true, payment_verification: { method: 'otp', code: '1' } }
  for (let time = 0; time < 3; time++) {
    const answer = await app.post(path, wrong, { headers: { 'idempotency-key': 'same-guess' } })
    expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([
      409,
      time > 0 ? 'true' : null,
    ])
  }
  for (let time = 0; time < 3; time++)
    await app.post(path, { approve: true, payment_verification: { method: 'popup', assertion: 'invalid' } })
  await guessing.guess('2')
  expect((await guessing.guess('123456')).body.status).toBe('approved')
  for (const code of ['3', '4']) await guessing.guess(code)
  expect((await guessing.guess('123456')).body.status).toBe('approved')
})

test('an approval needs a payment method, which it may bring along', async () => {
  const bare = await newBuyer(app, { card: null })
  const { body } = await createPurchase(app, bare)
  const path = `/v1/purchase_intents/${body.id}/approve`
  const refused = await app.post(path, { approve: true })
  expect([refused.status, refused.body.detail.code]).toEqual([409, 'payment_method_required'])
  const foreign = await app.post(path, { approve: true, profile_payment_method_id: buyer.paymentMethodId })
  expect([foreign.status, foreign.body.detail.param]).toEqual([404, 'profile_payment_method_id'])
  const card = {
    kind: 'existing',
    vault_token_id: 'visa_auto_approved',
    agentic_credentials_enrollment_requested: true,
    agentic_terms_acknowledged: true,
  }
  const method = await app.post(`/v1/profiles/${bare.profileId}/payment_methods`, { type: 'card', card })
  const approved = await app.post(path, { approve: true, profile_payment_method_id: method.body.id })
  expect(approved.body).toMatchObject({ status: 'approved', profile_payment_method_id: method.body.id })
})

test('an approval of another cap than the current one is stale', async () => {
  const { body } = await createPurchase(app, buyer)
  const path = `/v1/purchase_intents/${body.id}/approve`
  const stale = await app.post(path, { approve: true, max_allowed_amount: body.max_allowed_amount - 1 })
  expect([stale.status, stale.body.detail.code]).toEqual([409, 'approval_stale'])
  const fresh = await app.post(path, { approve: true, max_allowed_amount: body.max_allowed_amount })
  expect(fresh.body.status).toBe('approved')
})

test('a full window refuses the approval, and the purchase goes on waiting', async () => {
  const own = await newBuyer(app)
  await app.post('/v1/policies', {
    name: 'Daily',
    currency: 'EUR',
    scope: { profile_ids: [own.profileId] },
    limits: { intervals: [{ interval: 'day', max_amount: 3000 }] },
    approval: { mode: 'always' },
  })
  const [first, second] = [await createPurchase(app, own), await createPurchase(app, own)]
  expect(first.body.max_allowed_amount).toBe(2940)
  expect(
    (await app.post(`/v1/purchase_intents/${first.body.id}/approve`, { approve: true })).body.status,
  ).toBe('approved')
  const full = await app.post(`/v1/purchase_intents/${second.body.id}/approve`, { approve: true })
  expect([full.status, full.body.detail.code]).toEqual([409, 'policy_limit_exceeded'])
  expect((await readPurchase(app, second.body.id)).status).toBe('awaiting_approval')
  await app.post(`/v1/purchase_intents/${first.body.id}/cancel`)
  expect(
    (await app.post(`/v1/purchase_intents/${second.body.id}/approve`, { approve: true })).body.status,
  ).toBe('approved')
})

test('an approval that does not come in time declines the purchase', async () => {
  const { body } = await createPurchase(app, buyer)
  expect(await holding(app, body.id, expireApproval)).toBeNull()
  await advanceTestClock(app.databaseUrl, 8 * 24 * 3600)
  const late = await app.post(`/v1/purchase_intents/${body.id}/approve`, { approve: true })
  expect([late.status, late.body.detail.code]).toEqual([409, 'not_approvable'])
  await holding(app, body.id, expireApproval)
  expect(await readPurchase(app, body.id)).toMatchObject({
    status: 'declined',
    failure_reason: { code: 'approval_expired' },
    next_action: null,
  })
})

test('a freeze refuses approvals and retries, and lets a cancel through', async () => {
  const own = await newBuyer(app)
  const { body } = await createPurchase(app, own)
  await app.post('/v1/controls/freeze', { target: { type: 'profile', id: own.profileId } })
  const refused = await app.post(`/v1/purchase_intents/${body.id}/approve`, { approve: true })
  expect([refused.status, refused.body.detail.code]).toEqual([409, 'frozen'])
  expect((await app.post(`/v1/purchase_intents/${body.id}/cancel`)).body.status).toBe('cancelled')
})

test("a stranger's purchase does not exist for any operation", async () => {
  const { body } = await createPurchase(app, buyer)
  const key = app.stranger.keys.secret_test
  const answers = await Promise.all([
    app.get(`/v1/purchase_intents/${body.id}`, { key }),
    app.get(`/v1/purchase_intents/${body.id}/events`, { key }),
    app.post(`/v1/purchase_intents/${body.id}/approve`, { approve: true }, { key }),
    app.post(`/v1/purchase_intents/${body.id}/cancel`, {}, { key }),
    app.post(`/v1/purchase_intents/${body.id}/retry`, {}, { key }),
    app.post(`/v1/purchase_intents/${body.id}/reconcile`, { cart_id: 'cart_x', outcome: 'placed' }, { key }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
  expect(new Set(answers.map(({ body: { detail } }) => detail.param))).toEqual(
    new Set(['purchase_intent_id']),
  )
})
