import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../../../test/harness/app.ts'
import { brokenInvariants } from '../../../test/harness/broken-invariants.ts'
import { type Buyer, createPurchase, newBuyer, purchaseOf } from '../../../test/harness/buyers.ts'
import { askPriceByHand, beginByHand, endByHand, readPurchase } from '../../../test/harness/hand-worker.ts'
import { behindALock } from '../../../test/races/behind-a-lock.ts'
import { runAs } from '../../platform/calls/run-as.ts'
import { issueBoundKey } from '../accounts/api-keys/public.ts'
import { policyInvariants } from './invariants.sql.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => {
  const broken = await brokenInvariants(app, policyInvariants)
  await app.stop()
  expect(broken).toEqual([])
})

/** A buyer with two enrolled cards, of which the first is the default. */
type TwoCards = Buyer & { first: string; second: string }

async function withTwoCards(key?: string): Promise<TwoCards> {
  const as = key === undefined ? {} : { key }
  const buyer = await newBuyer(app, as)
  return { ...buyer, first: String(buyer.paymentMethodId), second: await addCard(buyer, as) }
}

async function addCard({ profileId }: Buyer, as: { key?: string } = {}): Promise<string> {
  const card = {
    kind: 'existing',
    vault_token_id: 'mastercard_auto_approved',
    agentic_credentials_enrollment_requested: true,
    agentic_terms_acknowledged: true,
  }
  return (await app.post(`/v1/profiles/${profileId}/payment_methods`, { type: 'card', card }, as)).body.id
}

const month = (max_amount: number) => ({ limits: { intervals: [{ interval: 'month', max_amount }] } })

/** A policy for these cards, by default one that lets them pay unattended. */
async function forCards(
  payment_method_ids: readonly string[],
  terms: object = {},
  as: { key?: string } = {},
) {
  const body = {
    name: 'Cards',
    currency: 'EUR',
    scope: { payment_method_ids },
    ...month(10_000),
    approval: { mode: 'never' },
    ...terms,
  }
  const { status, body: made } = await app.post('/v1/policies', body, as)
  expect(status, JSON.stringify(made)).toBe(201)
  return made
}

const usedOf = async (id: string) => (await app.get(`/v1/policies/${id}`)).body.usage[0]
const told = ({ status, body }: Pick<Answer, 'status' | 'body'>) =>
  status < 300 ? body.status : [status, body.detail.code, body.detail.param]
const paidBy = (id: string) => ({ profile_payment_method_id: id })
const setDefault = ({ profileId }: Buyer, id: string) =>
  app.post(`/v1/profiles/${profileId}/payment_methods/${id}`, { is_default: true })

test('a policy that names cards holds for nothing else, and one that names nothing for everything', async () => {
  const { first, second, profileId } = await withTwoCards()
  const made = await forCards([first])
  expect([made.scope, made.approved_by]).toEqual([
    { profile_ids: [], api_key_ids: [], payment_method_ids: [first], default: false },
    null,
  ])
  const changed = await app.post(`/v1/policies/${made.id}`, {
    scope: { profile_ids: [profileId], payment_method_ids: [second, first] },
  })
  expect(changed.body).toMatchObject({
    version: 2,
    scope: { profile_ids: [profileId], payment_method_ids: [second, first], default: false },
  })
  expect((await app.get(`/v1/policies/${made.id}`)).body).toEqual(changed.body)
  const { body } = await app.mcp('v1_get_policy', { policy_id: made.id })
  expect(body).toEqual(changed.body)
  expect((await app.get('/v1/policies')).body.data[0]).toEqual(changed.body)
})

test('a scope names no card of another account or mode, and none that was deleted', async () => {
  const own = await withTwoCards()
  const deleted = await addCard(own)
  await app.request('DELETE', `/v1/profiles/${own.profileId}/payment_methods/${deleted}`)
  const stranger = await newBuyer(app, { key: app.stranger.keys.secret_test })
  const ids = [stranger.paymentMethodId, deleted, 'pm_unknown']
  const person = { first_name: 'Ada', last_name: 'L', email: 'ada@example.com', country: 'DE' }
  const inLive = await app.post('/v1/profiles', person, { key: app.account.keys.secret_live })
  await app.sql(`update payment_methods set mode = 'live', profile_id = $2 where id = $1`, [
    own.second,
    inLive.body.id,
  ])
  const kept = await forCards([own.first])
  for (const id of [...ids, own.second]) {
    const scope = { payment_method_ids: [own.first, id] }
    const answers = [
      await app.post('/v1/policies', { name: 'Cards', scope }),
      await app.post(`/v1/policies/${kept.id}`, { scope }),
      await app.mcp('v1_create_policy', { name: 'Cards', scope }),
    ]
    for (const answer of answers) expect(told(answer)).toEqual([404, 'not_found', 'scope.payment_method_ids'])
  }
})

test('a purchase is decided by the policies of the card that it names, or else of the default', async () => {
  const buyer = await withTwoCards()
  const { first, second } = buyer
  const policy = await forCards([second])
  const status = async (over: object) => (await createPurchase(app, buyer, { ...over })).body.status
  expect(await status({})).toBe('awaiting_approval')
  expect(await status(paidBy(first))).toBe('awaiting_approval')
  expect(await status(paidBy(second))).toBe('queued')
  expect((await usedOf(policy.id)).count).toBe(1)
  const preview = await app.post('/v1/purchase_intents/preview', purchaseOf(buyer, paidBy(second)))
  expect(preview.body.status).toBe('queued')
  await setDefault(buyer, second)
  expect(await status({})).toBe('queued')
  expect(await status(paidBy(first))).toBe('awaiting_approval')
  // Two budgets of one card: the strictest wins.
  await forCards([second], month(500))
  expect(await status({})).toBe('declined')
  // Naming a policy buys no authority for another card.
  expect(await status({ ...paidBy(first), policy_id: policy.id })).toBe('awaiting_approval')
})

test('a purchase that is created while its card gets a policy is decided by it', async () => {
  const buyer = await withTwoCards()
  const policy = await forCards([buyer.first])
  const made = await behindALock(
    app,
    (query) =>
      query(
        `update policies set scope_payment_method_ids = array[$2], version = version + 1 where id = $1`,
        policy.id,
        buyer.second,
      ),
    () => createPurchase(app, buyer),
  )
  expect(made.body.status).toBe('awaiting_approval')
  expect((await usedOf(policy.id)).count).toBe(0)
})

test('an approval is held under the policies of the card that pays, also where it is another one than before', async () => {
  const buyer = await withTwoCards()
  const [ofFirst, ofSecond] = [
    await forCards([buyer.first], { approval: { mode: 'always' } }),
    await forCards([buyer.second], { ...month(2000), approval: { mode: 'always' } }),
  ]
  const approve = async (more: object) => {
    const { body } = await createPurchase(app, buyer)
    return app.post(`/v1/purchase_intents/${body.id}/approve`, { approve: true, ...more })
  }
  expect(told(await approve({}))).toBe('approved')
  expect(told(await approve(paidBy(buyer.second)))).toBe('approved')
  expect([(await usedOf(ofFirst.id)).count, (await usedOf(ofSecond.id)).count]).toEqual([1, 1])
  const refused = await approve(paidBy(buyer.second))
  expect(told(refused)).toEqual([409, 'policy_limit_exceeded', null])
})

test('of many approvals at once for a card with room for one, one is held', async () => {
  const buyer = await withTwoCards()
  const policy = await forCards([buyer.second], { ...month(2000), approval: { mode: 'always' } })
  const made = await Promise.all(Array.from({ length: 6 }, () => createPurchase(app, buyer)))
  const answers = await Promise.all(
    made.map(({ body }) =>
      app.post(`/v1/purchase_intents/${body.id}/approve`, { approve: true, ...paidBy(buyer.second) }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
  expect(await usedOf(policy.id)).toMatchObject({ reserved: 2000, count: 1 })
})

test('a purchase without a card is held under the policies of the default that it is approved with', async () => {
  const bare = await newBuyer(app, { card: null })
  const { body } = await createPurchase(app, bare)
  const card = await addCard(bare)
  const policy = await forCards([card], { approval: { mode: 'always' } })
  const approved = await app.post(`/v1/purchase_intents/${body.id}/approve`, { approve: true })
  expect([told(approved), approved.body.profile_payment_method_id]).toEqual(['approved', card])
  expect((await usedOf(policy.id)).count).toBe(1)
})

/** A purchase with the first card whose only cart has failed. */
async function failed(buyer: TwoCards, isApproved: boolean): Promise<string> {
  const { body } = await createPurchase(app, buyer)
  if (isApproved) await app.post(`/v1/purchase_intents/${body.id}/approve`, { approve: true })
  await beginByHand(app, body.id)
  await endByHand(app, body.id, [{ cart: 0, status: 'failed' }])
  return body.id
}

const retry = (id: string, card: string) => app.post(`/v1/purchase_intents/${id}/retry`, paidBy(card))

test('a retry with another card is decided by the policies of that card', async () => {
  const buyer = await withTwoCards()
  const ofFirst = await forCards([buyer.first])
  const anew = await failed(buyer, false)
  expect(told(await retry(anew, buyer.second))).toBe('awaiting_approval')
  const again = await failed(buyer, false)
  const ofSecond = await forCards([buyer.second])
  expect(told(await retry(again, buyer.second))).toBe('queued')
  expect([(await usedOf(ofFirst.id)).reserved, (await usedOf(ofSecond.id)).reserved]).toEqual([
    0,
    expect.any(Number),
  ])
  expect((await usedOf(ofSecond.id)).count).toBe(1)
  await forCards([buyer.second], { merchants: { block: ['shop.example'] }, approval: null })
  expect(told(await retry(await failed(buyer, false), buyer.second))).toEqual([409, 'policy_denied', null])
})

test('what a person approved is tried with another card within the limits of that card', async () => {
  const buyer = await withTwoCards()
  const ofSecond = await forCards([buyer.second], { ...month(2000), approval: { mode: 'always' } })
  const [one, other] = [await failed(buyer, true), await failed(buyer, true)]
  expect(told(await retry(one, buyer.second))).toBe('approved')
  expect((await usedOf(ofSecond.id)).reserved).toBe(2000)
  expect(told(await retry(other, buyer.second))).toEqual([409, 'policy_limit_exceeded', null])
})

test('a new price is asked about within what the policies of the card allow', async () => {
  const buyer = await withTwoCards()
  await forCards([buyer.first], { limits: { per_transaction_max: 2500 }, approval: { mode: 'always' } })
  const start = async (over: object) => {
    const { body } = await createPurchase(app, buyer, { ...over })
    await app.post(`/v1/purchase_intents/${body.id}/approve`, { approve: true })
    await beginByHand(app, body.id)
    return body.id
  }
  const [ofFirst, ofSecond] = [await start({}), await start(paidBy(buyer.second))]
  expect(await askPriceByHand(app, ofFirst, 2000n)).toMatchObject({ ok: false })
  expect(await askPriceByHand(app, ofSecond, 2000n)).toMatchObject({ ok: true })
  // The approval of the new price is exchanged under the policies of that card.
  const policy = await forCards([buyer.second], { ...month(10_000), approval: { mode: 'always' } })
  const approved = await app.post(`/v1/purchase_intents/${ofSecond}/approve`, { approve: true })
  expect(told(approved)).toBe('approved')
  const cap = (await readPurchase(app, ofSecond)).max_allowed_amount
  expect((await usedOf(policy.id)).reserved).toBe(cap)
})

test('a simulation is of the card that it names, or else of the default', async () => {
  const buyer = await withTwoCards()
  await forCards([buyer.second])
  const draft = {
    name: 'Draft',
    currency: 'EUR',
    scope: { payment_method_ids: [buyer.first] },
    limits: { per_transaction_max: 100 },
  }
  const simulate = async (over: object, policy?: object) => {
    const purchase_intent = {
      profile_id: buyer.profileId,
      currency_code: 'EUR',
      expected_amount: 500,
      ...over,
    }
    const body = { purchase_intent, ...(policy ? { policy } : {}) }
    const [rest, tool] = [
      await app.post('/v1/policies/simulate', body),
      await app.mcp('v1_simulate_policy', body),
    ]
    expect(told(tool)).toEqual(told(rest))
    return rest.status === 200 ? rest.body.purchase_intent.policy_decision.result : told(rest)
  }
  expect([await simulate({}), await simulate(paidBy(buyer.second))]).toEqual(['require_approval', 'allow'])
  expect([await simulate({}, draft), await simulate(paidBy(buyer.second), draft)]).toEqual(['deny', 'allow'])
  const other = await newBuyer(app)
  expect(await simulate(paidBy(String(other.paymentMethodId)))).toEqual([
    404,
    'not_found',
    'purchase_intent.profile_payment_method_id',
  ])
})

test('a draft is replayed over the past purchases of its cards', async () => {
  const own = await app.newAccount()
  const key = own.keys.secret_test
  const buyer = await withTwoCards(key)
  const made = [
    await createPurchase(app, buyer, {}, { key }),
    await createPurchase(app, buyer, paidBy(buyer.second), { key }),
  ]
  const policy = { currency: 'EUR', scope: { payment_method_ids: [buyer.second] }, ...month(5000) }
  const { body } = await app.post('/v1/policies/simulate', { policy, past: {} }, { key })
  expect(body.past.data.map((one: { purchase_intent_id: string }) => one.purchase_intent_id)).toEqual([
    made[1]?.body.id,
  ])
})

test('an agent of one profile sees policies for its cards, and no cards of others in them', async () => {
  const [own, other] = [await withTwoCards(), await withTwoCards()]
  const [shared, theirs] = [await forCards([own.first, other.first]), await forCards([other.second])]
  const as = {
    tenant: { accountId: app.account.accountId, mode: 'test' },
    actor: { type: 'system', id: 't' },
  } as const
  const request = { kind: 'secret', name: 'agent', preset: 'buyer_agent', profileId: own.profileId } as const
  const { token: key } = await runAs(app.parts, as, async (ctx) => issueBoundKey(ctx, request))
  const seen = await app.get(`/v1/policies/${shared.id}`, { key })
  expect(seen.body.scope.payment_method_ids).toEqual([own.first])
  const listed = (await app.get('/v1/policies', { key })).body.data
  expect(listed.map((one: { id: string }) => one.id)).toContain(shared.id)
  expect(listed.find((one: { id: string }) => one.id === shared.id)).toEqual(seen.body)
  expect(listed.map((one: { id: string }) => one.id)).not.toContain(theirs.id)
  expect((await app.get(`/v1/policies/${theirs.id}`, { key })).status).toBe(404)
})

test('a standing budget that a key changes is no longer one that somebody approved', async () => {
  const { first } = await withTwoCards()
  const { id } = await forCards([first])
  await app.sql(`update policies set approved_by = 'cardholder' where id = $1`, [id])
  expect((await app.post(`/v1/policies/${id}/archive`)).body.approved_by).toBe('cardholder')
  expect((await app.post(`/v1/policies/${id}/unarchive`)).body.approved_by).toBe('cardholder')
  const changed = await app.post(`/v1/policies/${id}`, { currency: 'EUR', ...month(20_000) })
  expect([changed.status, changed.body.approved_by]).toEqual([200, null])
})
