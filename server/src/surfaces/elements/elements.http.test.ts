import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestAccount, type TestApp } from '../../../test/harness/app.ts'
import { bareRequest } from '../../../test/harness/bare-request.ts'
import { createPurchase, newBuyer } from '../../../test/harness/buyers.ts'
import { type StoppedClock, stopClock } from '../../../test/harness/stopped-clock.ts'
import type { Mode } from '../../contract/context.ts'
import { issueKey, revokeKey, updatePageKey } from '../../domain/accounts/api-keys/public.ts'
import { runAs } from '../../platform/calls/run-as.ts'

const page = 'https://shop.example'
const frames = 'http://elements.localhost:4000'

let app: TestApp
let clock: StoppedClock
let key: string
let profileId: string
beforeAll(async () => {
  app = await startTestApp({
    testClock: true,
    elements: { url: frames, vaultUrl: 'http://vault.localhost:4001' },
  })
  clock = await stopClock(app.parts.pools, new Date('2026-03-01T12:00:00Z'))
  key = (await issue()).token
  profileId = (await newBuyer(app, { card: null })).profileId
})
afterAll(() => app.stop())

type Issue = {
  account?: TestAccount
  mode?: Mode
  capabilities?: ('elements' | 'catalog:read')[]
  expiresAt?: Date
  clientSecrets?: 'optional' | 'required'
}

function asOperator<T>(
  { account = app.account, mode = 'test' }: Issue,
  work: Parameters<typeof runAs<T>>[2],
): Promise<T> {
  const tenant = { accountId: account.accountId, mode }
  return runAs(app.parts, { tenant, actor: { type: 'system', id: 'test' } }, work)
}

function issue({ capabilities = ['elements'], expiresAt, clientSecrets = 'optional', ...of }: Issue = {}) {
  const made = { kind: 'publishable', name: 'page', preset: 'full', clientSecrets } as const
  return asOperator(of, async (ctx) =>
    issueKey(ctx, {
      ...made,
      capabilities: [...capabilities],
      origins: [page],
      expiresAt: expiresAt ?? null,
    }),
  )
}

type Begin = { publishableKey?: string; origin?: string | null; component?: string }

function begin({ publishableKey = key, origin = page, component = 'AddPaymentMethod' }: Begin = {}) {
  return app.request('POST', '/elements/v1/bootstraps', {
    key: null,
    headers: origin === null ? {} : { origin },
    body: { publishable_key: publishableKey, component },
  })
}

async function openSession(more: Record<string, unknown> = {}): Promise<Answer> {
  const { component = 'AddPaymentMethod', publishable_key: publishableKey = key } = more as Record<
    string,
    string
  >
  const { bootstrap } = (await begin({ component, publishableKey })).body ?? {}
  const body = {
    publishable_key: key,
    bootstrap,
    component: 'AddPaymentMethod',
    profile_id: profileId,
    ...more,
  }
  return app.request('POST', '/elements/v1/sessions', { key: null, body })
}

function addCard(session: string, more: Record<string, unknown> = {}, headers: Record<string, string> = {}) {
  return app.request('POST', '/elements/v1/payment_methods', {
    key: session,
    headers,
    body: { type: 'card', card: { kind: 'existing', vault_token_id: 'visa_auto_approved' }, ...more },
  })
}

const told = ({ status, body }: Answer) => (status < 300 ? status : [status, body?.detail?.code])

test('a page of an origin of the key begins a component, and may read the answer', async () => {
  const answer = await begin()
  expect([told(answer), answer.headers.get('access-control-allow-origin')]).toEqual([201, '*'])
  expect(answer.body.frame_url).toBe(`${frames}/elements/v1/frames/${answer.body.bootstrap}`)
})

test('a key that is none, is secret, is over, or was made for something else begins nothing', async () => {
  const over = await issue({ expiresAt: new Date(clock.now().getTime() - 1000) })
  const reader = await issue({ capabilities: ['catalog:read'] })
  const refusals = [
    await begin({ publishableKey: `${key.slice(0, -1)}_` }),
    await begin({ publishableKey: app.account.keys.secret_test }),
    await begin({ publishableKey: over.token }),
    await begin({ publishableKey: reader.token }),
  ]
  expect(refusals.map(told)).toEqual([
    [401, 'invalid_publishable_key'],
    [401, 'invalid_publishable_key'],
    [401, 'invalid_publishable_key'],
    [403, 'capability_missing'],
  ])
  expect(refusals[3]?.body.detail.message).toContain(
    `prokura keys update ${reader.key.id} --capability catalog:read elements`,
  )
  // The page has to be able to read why.
  for (const { headers } of refusals) expect(headers.get('access-control-allow-origin')).toBe('*')
})

test.each([
  [null],
  ['https://evil.example'],
  ['https://www.shop.example'],
  ['http://shop.example'],
  ['null'],
])('a page of %s begins nothing, and learns how its origin is allowed', async (origin) => {
  const answer = await begin({ origin })
  expect(told(answer)).toEqual([403, 'origin_not_allowed'])
  if (origin !== null) expect(answer.body.detail.message).toMatch(`prokura keys update`)
})

test('the frame of a beginning stands in pages of its origin alone, and only on the host of frames', async () => {
  const { bootstrap } = (await begin()).body
  const at = (host: string, path = `/elements/v1/frames/${bootstrap}`) =>
    bareRequest(`${app.url}${path}`, { headers: { host } })
  const shown = await at('elements.localhost:4000')
  expect(shown.status).toBe(200)
  expect(shown.headers['content-security-policy']).toMatch(
    /default-src 'none'.*connect-src 'self' http:\/\/vault\.localhost:4001;.*frame-ancestors https:\/\/shop\.example;/,
  )
  expect(shown.headers['cross-origin-embedder-policy']).toBeUndefined()
  const isolated = await at('elements.localhost:4000', `/elements/v1/frames/${bootstrap}?isolated=1`)
  expect(isolated.headers['cross-origin-embedder-policy']).toBe('require-corp')
  for (const [host, path] of [
    ['127.0.0.1', `/elements/v1/frames/${bootstrap}`],
    ['elements.localhost:4000', '/elements/v1/frames/pr_eb_test_unknown'],
  ] as const) {
    const nothing = await at(host, path)
    expect([nothing.status, nothing.headers['content-security-policy']]).toEqual([
      404,
      expect.stringContaining("frame-ancestors 'none'"),
    ])
  }
  for (const path of ['/v1/profiles', '/', '/openapi.json', '/mcp/v1', '/onboarding/x'])
    expect([path, (await at('elements.localhost:4000', path)).status]).toEqual([path, 404])
})

test('the loader has an address of its content with its integrity, and who names an earlier one gets this one', async () => {
  const at = (path: string) => app.request('GET', path, { key: null, headers: { origin: page } })
  const { body } = await at('/elements/v1/loader.json')
  const { origin, pathname } = new URL(body.url)
  expect(origin).toBe(frames)
  const read = async (path: string) => {
    const answer = await fetch(`${app.url}${path}`, { headers: { origin: page } })
    const digest = createHash('sha384')
      .update(new Uint8Array(await answer.arrayBuffer()))
      .digest('base64')
    const named = ['cache-control', 'access-control-allow-origin', 'cross-origin-resource-policy']
    return [`sha384-${digest}`, ...named.map((name) => answer.headers.get(name))]
  }
  const open = ['*', 'cross-origin']
  expect(await read(pathname)).toEqual([body.integrity, 'public, max-age=31536000, immutable', ...open])
  const newest = [body.integrity, 'public, max-age=300', ...open]
  expect(await read('/elements/v1/prokura.js')).toEqual(newest)
  expect(await read('/elements/v1/loaders/earlier/prokura.js')).toEqual(newest)
})

test('a session adds a card to its profile, once for one idempotency key, and the person is the actor', async () => {
  const opened = await openSession()
  expect(opened.body).toMatchObject({
    mode: 'test',
    may: ['write'],
    vault_url: 'http://vault.localhost:4001',
  })
  const headers = { 'idempotency-key': 'one-submission' }
  const [first, again] = [
    await addCard(opened.body.session, {}, headers),
    await addCard(opened.body.session, {}, headers),
  ]
  expect([told(first), told(again), again.body.id]).toEqual([201, 201, first.body.id])
  // A page alone decides about no purchase.
  expect(first.body).toMatchObject({ profile_id: profileId, is_default: false })
  const acted = await app.sql('select actor_type, actor_id from events where aggregate_id = $1', [
    first.body.id,
  ])
  expect(acted).toEqual([{ actor_type: 'cardholder', actor_id: profileId }])
})

test('a session reaches nothing but its profile, and nothing but what its component does', async () => {
  const { session } = (await openSession()).body
  const other = await newBuyer(app, { card: null })
  const foreign = await addCard(session, { billing_address: { id: other.addressId } })
  expect(told(foreign)).toEqual([404, 'not_found'])
  for (const [method, path] of [
    ['GET', '/v1/profiles'],
    ['GET', `/v1/profiles/${profileId}`],
    ['POST', '/v1/purchase_intents'],
    ['GET', '/v1/catalog'],
  ] as const) {
    const body = method === 'POST' ? { body: {} } : {}
    const answer = await app.request(method, path, { key: session, ...body })
    expect([path, answer.status]).toEqual([path, path === '/v1/catalog' ? 405 : 401])
  }
})

test('a key for components reads nothing', async () => {
  const answer = await app.request('POST', '/v1/catalog', {
    key,
    headers: { origin: page },
    body: { query: 'tea' },
  })
  expect(told(answer)).toEqual([403, 'capability_missing'])
})

test('a beginning is for its key, its component and its mode, and for five minutes', async () => {
  const { bootstrap } = (await begin()).body
  const others = [await issue(), await issue({ mode: 'live' }), await issue({ account: app.stranger })]
  for (const { token } of others)
    expect(told(await openSession({ publishable_key: token, bootstrap }))).toEqual([410, 'session_expired'])
  // A key of the same account cannot go on with what another page has begun.
  expect(told(await openSession({ bootstrap: 'pr_eb_test_unknown' }))).toEqual([410, 'session_expired'])
  expect(told(await openSession({ bootstrap }))).toBe(201)
  expect(told(await openSession({ bootstrap }))).toBe(201)
  await clock.advance(5 * 60_000 - 1)
  expect(told(await openSession({ bootstrap }))).toBe(201)
  await clock.advance(1)
  expect(told(await openSession({ bootstrap }))).toEqual([410, 'session_expired'])
})

test('a profile of another account or mode was never there, and an archived one takes no card', async () => {
  const theirs = (await app.post('/v1/profiles', newPerson, { key: app.stranger.keys.secret_test })).body.id
  const live = (await app.post('/v1/profiles', newPerson, { key: app.account.keys.secret_live })).body.id
  for (const id of [theirs, live, 'prof_unknown'])
    expect(told(await openSession({ profile_id: id }))).toEqual([404, 'not_found'])
  const gone = (await app.post('/v1/profiles', newPerson)).body.id
  await app.post(`/v1/profiles/${gone}/archive`, {})
  expect(told(await openSession({ profile_id: gone }))).toEqual([409, 'profile_archived'])
})

const selecting = { component: 'AddOrSelectPaymentMethod' }

function clientSecret(more: Record<string, unknown> = {}, as: { key?: string } = {}) {
  const body = { profile_id: profileId, components: ['AddOrSelectPaymentMethod'], ...more }
  return app.post('/v1/elements/client_secrets', body, as)
}

const cardsOf = (session: string) => app.request('GET', '/elements/v1/payment_methods', { key: session })

test('saved cards are listed to a page, and under a client secret where its key asks for one', async () => {
  const openly = (await openSession(selecting)).body
  expect(openly.may).toEqual(['write', 'read'])
  const { data } = (await cardsOf(openly.session)).body
  expect(data.length).toBeGreaterThan(0)
  expect(new Set(data.map((one: { profile_id: string }) => one.profile_id))).toEqual(new Set([profileId]))

  const strict = await issue({ clientSecrets: 'required' })
  const bare = (await openSession({ ...selecting, publishable_key: strict.token })).body
  expect(bare.may).toEqual(['write'])
  expect(told(await cardsOf(bare.session))).toEqual([403, 'insufficient_scope'])
  const { client_secret } = (await clientSecret()).body
  const known = (await openSession({ ...selecting, publishable_key: strict.token, client_secret })).body
  expect(known.may).toEqual(['write', 'read'])
  expect(told(await cardsOf(known.session))).toBe(200)
})

test('a client secret is for its profile, its components, the first page that uses it, and 15 minutes', async () => {
  const { client_secret } = (await clientSecret()).body
  const other = (await newBuyer(app, { card: null })).profileId
  const refused = [403, 'client_secret_invalid']
  expect(told(await openSession({ ...selecting, client_secret, profile_id: other }))).toEqual(refused)
  expect(told(await openSession({ client_secret }))).toEqual(refused)
  expect(told(await openSession({ ...selecting, client_secret: 'pr_cs_test_unknown' }))).toEqual(refused)
  const { bootstrap } = (await begin(selecting)).body
  const first = { ...selecting, client_secret, bootstrap }
  expect(told(await openSession(first))).toBe(201)
  expect(told(await openSession(first))).toBe(201)
  expect(told(await openSession({ ...selecting, client_secret }))).toEqual(refused)
  const [inTime, late] = [
    (await clientSecret()).body.client_secret,
    (await clientSecret()).body.client_secret,
  ]
  await clock.advance(15 * 60_000 - 1)
  expect(told(await openSession({ ...selecting, client_secret: inTime }))).toBe(201)
  await clock.advance(1)
  expect(told(await openSession({ ...selecting, client_secret: late }))).toEqual(refused)
})

test('of fifty pages that use a client secret at once, one has it', async () => {
  const { client_secret } = (await clientSecret()).body
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => openSession({ ...selecting, client_secret })),
  )
  const counted = Object.groupBy(answers, (answer) => String(told(answer)))
  expect(Object.keys(counted).sort()).toEqual(['201', '403,client_secret_invalid'])
  expect(counted['201']).toHaveLength(1)
})

test('a client secret is for who may add cards, and for no agent of one profile', async () => {
  const agent = await asOperator({}, async (ctx) =>
    issueKey(ctx, { kind: 'secret', name: 'agent', preset: 'buyer_agent' }),
  )
  expect(told(await clientSecret({}, { key: agent.token }))).toEqual([403, 'insufficient_scope'])
  const theirs = await clientSecret({}, { key: app.stranger.keys.secret_test })
  expect(told(theirs)).toEqual([404, 'not_found'])
  expect(told(await clientSecret({ components: ['Wallet'] }))).toEqual([422, undefined])
  expect(told(await clientSecret({ purchase_intent_id: 'pi_x' }))).toEqual([422, undefined])
})

test('a component for a purchase shows that purchase, for as long as it is the one that it needs', async () => {
  const buyer = await newBuyer(app, { card: 'visa_ineligible', enrolled: false })
  const intent = (await createPurchase(app, buyer)).body
  expect(intent.next_action).toMatchObject({ element: 'AddOrSelectPaymentMethod' })
  const of = { ...selecting, profile_id: undefined, purchase_intent_id: intent.id }
  const opened = (await openSession(of)).body
  expect(opened).toMatchObject({ profile_id: buyer.profileId, purchase_intent_id: intent.id })
  const shown = await app.request('GET', '/elements/v1/purchase_intent', { key: opened.session })
  expect([told(shown), shown.body?.id]).toEqual([200, intent.id])
  const { session: ofProfile } = (await openSession(selecting)).body
  const none = await app.request('GET', '/elements/v1/purchase_intent', { key: ofProfile })
  expect(told(none)).toEqual([404, 'not_found'])

  expect(told(await openSession({ ...of, purchase_intent_id: 'pi_unknown' }))).toEqual([404, 'not_found'])
  expect(told(await openSession({ ...of, component: 'AddPaymentMethod' }))).toEqual([422, undefined])
  await app.post(`/v1/purchase_intents/${intent.id}/cancel`, {})
  expect(told(await openSession(of))).toEqual([409, 'component_not_applicable'])
})

test('a session ends when nobody uses it for 15 minutes, after an hour, and with its key', async () => {
  const minute = 60_000
  const { session: idle } = (await openSession()).body
  const { session: used } = (await openSession()).body
  const spare = (await openSession()).body.session
  await clock.advance(15 * minute - 1)
  // Each use gives it a quarter of an hour, and the last one what is left of the hour.
  for (const session of [used, spare]) expect(told(await addCard(session))).toBe(201)
  await clock.advance(1)
  expect(told(await addCard(idle))).toEqual([410, 'session_expired'])
  await clock.advance(15 * minute - 2)
  expect(told(await addCard(used))).toBe(201)
  await clock.advance(1)
  expect(told(await addCard(spare))).toEqual([410, 'session_expired'])
  for (const ms of [14 * minute, 14 * minute, 2 * minute, 1]) {
    expect(told(await addCard(used))).toBe(201)
    await clock.advance(ms)
  }
  expect(told(await addCard(used))).toEqual([410, 'session_expired'])

  const { session } = (await openSession()).body
  expect(told(await addCard(session))).toBe(201)
  const made = await issue()
  key = made.token
  const { session: ofNew } = (await openSession()).body
  await asOperator({}, (ctx) => revokeKey(ctx, made.key.id))
  expect(told(await addCard(ofNew))).toEqual([410, 'session_expired'])
  key = (await issue()).token
})

test('an origin and a capability that are taken from a key begin nothing more', async () => {
  const made = await issue()
  const change = (changes: Parameters<typeof updatePageKey>[2]) =>
    asOperator({}, (ctx) => updatePageKey(ctx, made.key.id, changes))
  await change({ origins: ['https://other.example'] })
  await expect
    .poll(async () => told(await begin({ publishableKey: made.token })))
    .toEqual([403, 'origin_not_allowed'])
  expect(told(await begin({ publishableKey: made.token, origin: 'https://other.example' }))).toBe(201)
  await change({ capabilities: ['catalog:read'] })
  await expect
    .poll(async () => told(await begin({ publishableKey: made.token, origin: 'https://other.example' })))
    .toEqual([403, 'capability_missing'])
})

const newPerson = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'GB' }
