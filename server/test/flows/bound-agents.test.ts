import { afterAll, beforeAll, expect, test } from 'vitest'
import { boundAgents, operations, product } from '../../src/composition.ts'
import type { ActingContext } from '../../src/contract/context.ts'
import type { ScopePreset } from '../../src/contract/scopes.ts'
import { addKey, issueBoundKey, rollKey } from '../../src/domain/accounts/api-keys/public.ts'
import { joinAgents } from '../../src/domain/policies/public.ts'
import type { BoundAgent } from '../../src/platform/calls/bound-agent.ts'
import { runAs } from '../../src/platform/calls/run-as.ts'
import { type Answer, startTestApp, type TestAccount, type TestApp } from '../harness/app.ts'
import { type Buyer, createPurchase, newBuyer, purchaseOf } from '../harness/buyers.ts'
import { openShop, placeOrder } from '../harness/orders.ts'
import { askQuote, openQuotingShop, placeQuote, type QuotingShop } from '../harness/quotes.ts'
import { isUndecided } from '../suites/matrix.ts'

let app: TestApp
let shop: QuotingShop
beforeAll(async () => {
  app = await startTestApp()
  shop = await openQuotingShop(app, { url: 'https://hooks.example/quotes' })
})
afterAll(() => app.stop())

type Key = { id: string; agentId: string; token: string }
type Owner = { account: TestAccount; owner: string; own: Buyer; other: Buyer; key: Key }

/** An account with two customers, and the key of an agent that acts for one of them. */
async function newOwner(preset: ScopePreset = 'buyer_agent'): Promise<Owner> {
  const account = await app.newAccount()
  const owner = account.keys.secret_test
  const [own, other] = [await newBuyer(app, { key: owner }), await newBuyer(app, { key: owner })]
  const of = { account, owner, own, other }
  return { ...of, key: await boundKey(of, own.profileId, preset) }
}

async function boundKey(of: Pick<Owner, 'account'>, profileId: string, preset: ScopePreset = 'buyer_agent') {
  const request = { kind: 'secret', name: 'agent', preset, profileId } as const
  return keyOf(await asOperator(of, (ctx) => issueBoundKey(ctx, request)))
}

function keyOf({ key, token }: { key: { id: string; agent_id: string }; token: string }): Key {
  return { id: key.id, agentId: key.agent_id, token }
}

function asOperator<T>(
  { account }: Pick<Owner, 'account'>,
  work: (ctx: ActingContext) => Promise<T>,
): Promise<T> {
  const tenant = { accountId: account.accountId, mode: 'test' } as const
  return runAs(app.parts, { tenant, actor: { type: 'system', id: 'test' } }, work)
}

function told({ status, body }: Answer): string {
  return status < 300 ? String(status) : `${status} ${body.detail.code}`
}

test('a purchase, a preview, a quote and a simulation are for the agent’s profile when none is named', async () => {
  const { key, own } = await newOwner()
  const { profile_id: _, ...items } = purchaseOf(own)
  const as = { key: key.token }
  const made = await app.post('/v1/purchase_intents', items, as)
  expect([made.status, made.body.profile_id]).toEqual([201, own.profileId])
  expect((await app.post('/v1/purchase_intents/preview', items, as)).status).toBe(200)
  const quote = await askQuote(app, { merchant_slug: shop.slug }, as)
  expect(quote.body.profile_id).toBe(own.profileId)
  const hypothetical = { currency_code: 'EUR', expected_amount: 100 }
  expect((await app.post('/v1/policies/simulate', { purchase_intent: hypothetical }, as)).status).toBe(200)
  const tool = await app.mcp('v1_create_purchase_intent', items, as)
  expect([tool.status, tool.body.profile_id]).toEqual([201, own.profileId])
})

test('without a bound key a profile has to be named as before', async () => {
  const { owner, own } = await newOwner()
  const { profile_id: _, ...items } = purchaseOf(own)
  const { status, body } = await app.post('/v1/purchase_intents', items, { key: owner })
  expect([status, body.detail[0].loc]).toEqual([422, ['body', 'profile_id']])
})

test('lists show the agent’s profile and its objects, and count nothing else', async () => {
  const of = await newOwner('read_only')
  const { account, owner, own, other, key } = of
  const seller = await openShop(app, await app.newAccount('Seller'))
  for (const { profileId } of [own, other]) {
    await createPurchase(app, { ...own, profileId }, {}, { key: owner })
    await placeQuote(app, account, { shop: sellerOf(), note: 'quoted', profileId })
    await placeOrder(app, account, seller, { profileId })
  }
  await placeQuote(app, account, { shop: sellerOf(), note: 'for nobody' })
  const seen = async (path: string) => {
    const { body } = await app.get(path, { key: key.token })
    const [found] = [await app.get(`${path}${path.includes('?') ? '&' : '?'}limit=1`, { key: key.token })]
    expect(found.body.total, path).toBe(body.total)
    return body
  }
  expect((await seen('/v1/profiles')).data.map(({ id }: { id: string }) => id)).toEqual([own.profileId])
  for (const path of ['/v1/purchase_intents', '/v1/purchase_intents?q=shop', '/v1/quotes']) {
    const { data, total } = await seen(path)
    expect(new Set(data.map((row: { profile_id: string }) => row.profile_id)), path).toEqual(
      new Set([own.profileId]),
    )
    expect(total, path).toBe(data.length)
  }
  // The purchase of an order is one of the listed ones, which the harness makes for it.
  for (const path of ['/v1/orders', '/v1/orders?q=ord_']) expect((await seen(path)).total, path).toBe(1)
  expect((await seen(`/v1/purchase_intents?profile_id=${other.profileId}`)).total).toBe(0)
  expect((await seen(`/v1/profiles/${own.profileId}/payment_methods`)).total).toBe(1)
})

function sellerOf() {
  return shop as Parameters<typeof placeQuote>[2]['shop'] & QuotingShop // the ids are those of its item
}

test('objects of another customer, or of none, are answered word for word like objects that never existed', async () => {
  const of = await newOwner()
  const { account, owner, own, other, key } = of
  const seller = await openShop(app, await app.newAccount('Seller'))
  const purchase = (await createPurchase(app, other, {}, { key: owner })).body.id
  const order = (await placeOrder(app, account, seller, { profileId: other.profileId })).id
  const quotes = [
    await placeQuote(app, account, { shop: sellerOf(), note: 'theirs', profileId: other.profileId }),
    await placeQuote(app, account, { shop: sellerOf(), note: 'nobody’s' }),
  ]
  const ids = [other.profileId, purchase, order, ...quotes, other.paymentMethodId ?? '']
  const calls: ((ids: Record<string, string>) => [string, string, object?])[] = [
    (id) => ['GET', `/v1/profiles/${id.prof}`],
    (id) => ['GET', `/v1/profiles/${id.prof}/payment_methods`],
    (id) => ['GET', `/v1/profiles/${own.profileId}/payment_methods/${id.pm}`],
    (id) => ['GET', `/v1/purchase_intents/${id.pi}`],
    (id) => ['GET', `/v1/purchase_intents/${id.pi}/events`],
    (id) => ['POST', `/v1/purchase_intents/${id.pi}/cancel`],
    (id) => ['POST', `/v1/purchase_intents/${id.pi}/retry`],
    (id) => ['GET', `/v1/orders/${id.ord}`],
    (id) => ['GET', `/v1/quotes/${id.quo}`],
    (id) => ['POST', `/v1/quotes/${id.quo}/cancel`],
    (id) => ['POST', `/v1/quotes/${id.quo}/refresh`],
    (id) => ['POST', `/v1/quotes/${id.quo}/accept`, { offer_id: 'offer_1' }],
    (id) => ['POST', '/v1/purchase_intents', purchaseOf({ ...own, profileId: id.prof ?? '' })],
    (id) => ['POST', '/v1/purchase_intents', purchaseOf(own, { profile_payment_method_id: id.pm })],
    (id) => ['POST', '/v1/purchase_intents', quotedPurchase(own, id.quo ?? '')],
  ]
  const ask = async ([method, path, body]: [string, string, object?], id: string) => {
    const answer = await app.request(method, path, { key: key.token, body })
    expect(told(answer), `${method} ${path}`).toBe('404 not_found')
    return JSON.stringify(answer.body)
      .replaceAll(/req_[0-9a-z]+/g, 'req')
      .replaceAll(id, 'ID')
  }
  for (const id of ids) {
    const [prefix = ''] = id.split('_')
    const never = `${prefix}_01jb2w9m4ye6xs3kq8t7v5c0zd`
    for (const call of calls) {
      const made = call({ [prefix]: id })
      if (!JSON.stringify(made).includes(id)) continue
      expect(await ask(made, id)).toBe(await ask(call({ [prefix]: never }), never))
    }
  }
})

test('of all ids, those of its customer are the agent’s own, and those of another one never existed', async () => {
  const of = await newOwner()
  const idsOf = async (buyer: Buyer) => {
    const { body } = await createPurchase(app, buyer, {}, { key: of.owner })
    return [buyer.profileId, buyer.paymentMethodId ?? '', body.id as string]
  }
  const [ours, theirs] = [await idsOf(of.own), await idsOf(of.other)]
  const bound = { agentId: of.key.agentId as BoundAgent['agentId'], profileId: of.own.profileId }
  const found = await asOperator(of, ({ tenant, tx }) =>
    boundAgents.ownIds({ tenant, ...bound } as BoundAgent, [...ours, ...theirs], tx),
  )
  expect([...found].sort()).toEqual(ours.sort())
})

function quotedPurchase(buyer: Buyer, quote_id: string) {
  return { profile_id: buyer.profileId, items: [{ url: 'https://shop.example/', quantity: 1, quote_id }] }
}

test('a stored reply is shown only where its object may be read', async () => {
  const of = await newOwner()
  const { owner, own, other, key } = of
  const headers = { 'idempotency-key': 'squatted' }
  const theirs = await app.post('/v1/purchase_intents', purchaseOf(other), { key: owner, headers })
  expect(theirs.status).toBe(201)
  // The same request is refused as for a profile that never existed, not answered from what is stored.
  const same = await app.post('/v1/purchase_intents', purchaseOf(other), { key: key.token, headers })
  expect([told(same), same.body.detail.param]).toEqual(['404 not_found', 'profile_id'])
  const ours = await app.post('/v1/purchase_intents', purchaseOf(own), { key: key.token, headers })
  expect(told(ours)).toBe('409 idempotency_key_conflict')
  const cancelled = await app.post(`/v1/purchase_intents/${theirs.body.id}/cancel`, undefined, {
    key: owner,
    headers,
  })
  expect(cancelled.status).toBe(200)
  const again = await app.post(`/v1/purchase_intents/${theirs.body.id}/cancel`, undefined, {
    key: key.token,
    headers,
  })
  expect([told(again), again.body.detail.param]).toEqual(['404 not_found', 'purchase_intent_id'])
})

test('a reply about the agent’s own profile is replayed, also when another key asked first or named the profile differently', async () => {
  const { owner, own, key } = await newOwner()
  const { profile_id: _, ...items } = purchaseOf(own)
  const headers = { 'idempotency-key': 'shared' }
  const first = await app.post('/v1/purchase_intents', purchaseOf(own), { key: owner, headers })
  const second = await app.post('/v1/purchase_intents', items, { key: key.token, headers })
  expect([second.status, second.body.id]).toEqual([200, first.body.id])
})

test('of a policy the agent sees what it is called and allows, and nothing of others', async () => {
  const of = await newOwner()
  const { owner, own, other, key } = of
  const post = (name: string, scope: object | undefined) =>
    app.post(
      '/v1/policies',
      {
        name,
        description: 'internal',
        metadata: { internal: 'yes' },
        currency: 'EUR',
        ...(scope ? { scope } : {}),
        limits: { intervals: [{ interval: 'day', max_amount: 10_000 }], max_intents_per_day: 20 },
        approval: { mode: 'never' },
      },
      { key: owner },
    )
  const shared = await post('shared', { profile_ids: [own.profileId, other.profileId] })
  const theirs = await post('theirs', { profile_ids: [other.profileId] })
  const ofOtherAgent = await post('of another agent', {
    api_key_ids: [(await app.newKey(of.account, 'test', 'full')).id],
  })
  expect((await createPurchase(app, other, {}, { key: owner })).body.status).toBe('queued')
  const as = { key: key.token }
  const { body } = await app.get(`/v1/policies/${shared.body.id}`, as)
  expect(body).toMatchObject({
    name: 'shared',
    description: null,
    metadata: {},
    usage: [],
    scope: { profile_ids: [own.profileId], api_key_ids: [], payment_method_ids: [], default: false },
    limits: shared.body.limits,
  })
  const { data, total } = (await app.get('/v1/policies', as)).body
  expect([data, total]).toEqual([[body], 1])
  for (const { body: hidden } of [theirs, ofOtherAgent]) {
    expect(told(await app.get(`/v1/policies/${hidden.id}`, as))).toBe('404 not_found')
    const named = await createPurchase(app, own, { policy_id: hidden.id }, as)
    expect([told(named), named.body.detail.param]).toEqual(['404 not_found', 'policy_id'])
  }
  const made = await createPurchase(app, own, {}, as)
  expect(made.body.status).toBe('queued')
  const seenByOwner = (await app.get(`/v1/purchase_intents/${made.body.id}`, { key: owner })).body
  const used = observed(seenByOwner.policy_decision)
  expect(used.size).toBeGreaterThan(0)
  expect([...used.values()]).not.toContain(null)
  const { body: events } = await app.get(`/v1/purchase_intents/${made.body.id}/events`, as)
  const stream = await firstOfStream(made.body.id, key.token)
  const tool = await app.mcp('v1_get_purchase_intent', { purchase_intent_id: made.body.id }, as)
  const answers = [
    made.body,
    (await app.get(`/v1/purchase_intents/${made.body.id}`, as)).body,
    events.data[0].data.purchase_intent,
    stream.data.purchase_intent,
    tool.body,
    (await app.post('/v1/purchase_intents/preview', purchaseOf(own), as)).body,
  ]
  for (const intent of answers) {
    const shown = observed(intent.policy_decision)
    expect([...shown.keys()]).toEqual([...used.keys()])
    expect([...shown.values()].every((value) => value === null)).toBe(true)
  }
})

/** What windows had come to, by rule. */
function observed({ evaluated }: { evaluated: { rule: string; observed: unknown }[] }): Map<string, unknown> {
  const rules = evaluated.filter(({ rule }) => /^limits\.(?:intervals|max_intents_per_day)/.test(rule))
  return new Map(rules.map(({ rule, observed: value }) => [rule, value]))
}

async function firstOfStream(id: string, token: string) {
  const response = await fetch(`${app.url}/v1/purchase_intents/${id}/events`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
  })
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString()
    const data = /^data: (.*)$/m.exec(text)?.[1]
    if (data !== undefined && text.includes('\n\n')) return JSON.parse(data)
  }
}

test('a policy is simulated over the agent’s own purchases, and only those', async () => {
  const of = await newOwner()
  const { owner, own, other, key, account } = of
  for (const buyer of [own, other]) await createPurchase(app, buyer, {}, { key: owner })
  const past = await app.post(
    '/v1/policies/simulate',
    { policy: { name: 'Draft' }, past: {} },
    { key: key.token },
  )
  expect(past.body.past.data).toHaveLength(1)
  const foreign = await app.newKey(account, 'test', 'full')
  const ask = (api_key_id: string) =>
    app.post(
      '/v1/policies/simulate',
      { purchase_intent: { api_key_id, currency_code: 'EUR', expected_amount: 100 } },
      { key: key.token },
    )
  for (const id of [foreign.id, foreign.agentId]) expect(told(await ask(id))).toBe('404 not_found')
  for (const id of [key.id, key.agentId]) expect(told(await ask(id))).toBe('200')
})

test('every operation that the scopes of a bound key allow says whether it serves one', () => {
  expect(operations.filter(isUndecided).map(({ id }) => id)).toEqual([])
  const some = operations.find(({ id }) => id === 'v1_list_quotes') ?? expect.fail()
  expect(isUndecided({ ...some, forBound: 'undecided' })).toBe(true)
})

test.each(['buyer_agent', 'read_only'] as const)(
  'a bound %s key has no scope of the account',
  async (preset) => {
    const { key } = await newOwner(preset)
    for (const operation of operations) {
      if (operation.auth !== 'secret' || operation.scope === null) continue
      const isGranted =
        product.scopes.bound.has(operation.scope) && product.scopes.presets[preset].includes(operation.scope)
      if (isGranted && operation.forBound === 'served') continue
      const path = operation.path.replaceAll(/\{[a-z_]+\}/g, 'x')
      const [type] = Object.keys(operation.content ?? {})
      const file = type === undefined ? {} : { raw: '{}', headers: { 'content-type': type } }
      const answer = await app.request(operation.method, path, { key: key.token, ...file })
      expect(told(answer), operation.id).toBe('403 insufficient_scope')
    }
  },
)

test('keys of other powers are not bound, and an agent is bound for ever', async () => {
  const of = await newOwner()
  const { own, other, key } = of
  for (const preset of ['full', 'merchant_backend', 'discovery'] as const)
    await expect(boundKey(of, own.profileId, preset)).rejects.toMatchObject({ code: 'agent_bound' })
  const publishable = {
    kind: 'publishable',
    name: 'x',
    preset: 'buyer_agent',
    profileId: own.profileId,
  } as const
  await expect(asOperator(of, (ctx) => issueBoundKey(ctx, publishable))).rejects.toMatchObject({
    code: 'agent_bound',
  })
  const foreign = await newBuyer(app)
  for (const id of ['prof_unknown', foreign.profileId])
    await expect(boundKey(of, id)).rejects.toMatchObject({ code: 'not_found' })
  const more = { kind: 'secret', name: 'more', preset: 'full', agentId: key.agentId, isForced: true } as const
  await expect(asOperator(of, (ctx) => addKey(ctx, more))).rejects.toMatchObject({ code: 'agent_bound' })
  const unbound = await app.newKey(of.account, 'test', 'buyer_agent')
  const elsewhere = await boundKey(of, other.profileId)
  for (const id of [unbound.id, elsewhere.id]) {
    for (const [from, into] of [
      [id, key.id],
      [key.id, id],
    ] as const)
      await expect(
        asOperator(of, (ctx) => joinAgents(ctx, { from, into, mayWiden: true })),
      ).rejects.toMatchObject({
        code: 'agent_bound',
      })
  }
})

test('a rolled and a second key of a bound agent, and one that is joined to it, are bound like the first', async () => {
  const of = await newOwner()
  const { own, other, key } = of
  const rolled = keyOf(await asOperator(of, (ctx) => rollKey(ctx, key.id)))
  const request = {
    kind: 'secret',
    name: 'two',
    preset: 'buyer_agent',
    agentId: key.agentId,
    isForced: false,
  } as const
  const second = keyOf(await asOperator(of, (ctx) => addKey(ctx, request)))
  const joined = await boundKey(of, own.profileId)
  await asOperator(of, (ctx) => joinAgents(ctx, { from: joined.id, into: key.id, mayWiden: false }))
  for (const { token } of [rolled, second, joined]) {
    expect((await app.get(`/v1/profiles/${own.profileId}`, { key: token })).status).toBe(200)
    expect((await app.get(`/v1/profiles/${other.profileId}`, { key: token })).status).toBe(404)
  }
})

test('the door of a version that knows no bound agents does not open to their keys', async () => {
  const { key } = await newOwner()
  const unbound = await app.newKey(app.account, 'test', 'buyer_agent')
  const found = async ({ token }: { token: string }) =>
    (
      await app.sql(
        'select account_id, mode, id, kind, scopes, expires_at from api_keys where hash = $1 and revoked_at is null',
        [app.parts.hashToken(token)],
      )
    ).length
  expect([await found(unbound), await found(key)]).toEqual([1, 0])
})
