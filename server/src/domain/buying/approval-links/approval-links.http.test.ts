import { afterAll, beforeAll, expect, test } from 'vitest'
import { framesOfTests, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import {
  answerOn,
  claim,
  look,
  makeLink,
  newSecret,
  openPage,
  tokenOf,
  told,
} from '../../../../test/harness/approval-pages.ts'
import { bareRequest } from '../../../../test/harness/bare-request.ts'
import { type Buyer, createPurchase, newBuyer } from '../../../../test/harness/buyers.ts'
import { type StoppedClock, stopClock } from '../../../../test/harness/stopped-clock.ts'
import type { Mode } from '../../../contract/context.ts'
import { runAs } from '../../../platform/calls/run-as.ts'
import { issueKey, revokeKey } from '../../accounts/api-keys/public.ts'

const minute = 60_000

let app: TestApp
let clock: StoppedClock
let buyer: Buyer
let agent: Awaited<ReturnType<TestApp['newKey']>>
beforeAll(async () => {
  app = await startTestApp({ testClock: true })
  clock = await stopClock(app.parts.pools, new Date('2026-03-01T12:00:00Z'))
  buyer = await newBuyer(app)
  agent = await app.newKey(app.account, 'test', 'buyer_agent')
})
afterAll(() => app.stop())

function asOperator<T>(work: Parameters<typeof runAs<T>>[2], mode: Mode = 'test'): Promise<T> {
  const tenant = { accountId: app.account.accountId, mode }
  return runAs(app.parts, { tenant, actor: { type: 'system', id: 'test' } }, work)
}

const newPurchase = async (): Promise<{ id: string; approval: { expires_at: string } }> =>
  (await createPurchase(app, buyer)).body

const seen = (session: string) => app.request('GET', '/elements/v1/purchase_intent', { key: session })

test('an agent makes a link, which lasts as long as the approval, and whose token stands in the fragment', async () => {
  const intent = await newPurchase()
  const made = await makeLink(app, intent.id, {}, { key: agent.token })
  expect(made.body).toMatchObject({
    object: 'approval_link',
    purchase_intent_id: intent.id,
    return_url: null,
    expires_at: intent.approval.expires_at,
  })
  expect(made.body.id).toMatch(/^link_/)
  expect(made.body.url).toMatch(
    /^http:\/\/elements\.localhost:4000\/elements\/v1\/approve#pr_al_test_\w{33}$/,
  )
  const tool = await app.mcp('v1_create_approval_link', { purchase_intent_id: intent.id })
  expect(tool).toMatchObject({ isError: false, body: { purchase_intent_id: intent.id } })
})

test('who may make links finds the newest of a purchase in it, and nobody else does', async () => {
  const { id } = await newPurchase()
  const action = async (key?: string) =>
    (await app.get(`/v1/purchase_intents/${id}`, key === undefined ? {} : { key })).body.next_action
  expect((await action()).url).toBeUndefined()
  await makeLink(app, id)
  await clock.set(new Date('2026-03-01T12:00:01Z'))
  const newest = await makeLink(app, id)
  expect(await action()).toMatchObject({ type: 'approve', url: newest.body.url })
  expect((await action(agent.token)).url).toBe(newest.body.url)
  const reader = await app.newKey(app.account, 'test', 'read_only')
  expect((await action(reader.token)).url).toBeUndefined()
  const { session } = (await claim(app, tokenOf(newest))).body
  expect((await seen(session)).body.next_action.url).toBeUndefined()
  const events = await app.get(`/v1/purchase_intents/${id}/events`)
  expect(JSON.stringify(events.body)).not.toContain('pr_al_')
  await answerOn(app, session, { approve: false })
  expect(await action()).toBeNull()
})

test('a tool names the person as its next step, with the page if there is one', async () => {
  const { id, approval } = await newPurchase()
  const read = async () =>
    (await app.mcp('v1_get_purchase_intent', { purchase_intent_id: id })).meta.next_step
  expect(await read()).toEqual({ kind: 'approve', url: null, expires_at: approval.expires_at })
  const { url } = (await makeLink(app, id)).body
  expect(await read()).toEqual({ kind: 'approve', url, expires_at: approval.expires_at })
  const nowhere = await app.post('/v1/profiles', person)
  const { body: waiting } = await createPurchase(app, { ...buyer, profileId: nowhere.body.id })
  const refused = await app.mcp('v1_create_approval_link', { purchase_intent_id: waiting.id })
  expect(refused).toMatchObject({ isError: true, meta: { next_step: { kind: 'input', url: null } } })
  await app.post(`/v1/purchase_intents/${id}/cancel`, {})
  expect(await read()).toBeUndefined()
})

test('the token is kept as a hash', async () => {
  const intent = await newPurchase()
  const headers = { 'idempotency-key': 'one-link' }
  const [first, again] = [
    await makeLink(app, intent.id, {}, { headers }),
    await makeLink(app, intent.id, {}, { headers }),
  ]
  expect(again.body).toEqual({ ...first.body, url: again.body.url })
  expect(again.body.url).toBe(first.body.url.slice(0, again.body.url.length))
  expect(tokenOf(again)).toHaveLength('pr_al_test_'.length + 4)
  const token = tokenOf(first)
  for (const table of ['approval_links', 'idempotency_keys', 'events']) {
    const [{ held } = { held: null }] = await app.sql<{ held: number }>(
      `select count(*)::int as held from ${table} t where t::text like '%' || $1 || '%'`,
      [token.slice(-20)],
    )
    expect([table, held]).toEqual([table, 0])
  }
})

test('a link is made only for a purchase of the account that a person is asked about', async () => {
  const intent = await newPurchase()
  const strange = { key: app.stranger.keys.secret_test }
  expect(told(await makeLink(app, intent.id, {}, strange))).toEqual([404, 'not_found'])
  const live = { key: app.account.keys.secret_live }
  expect(told(await makeLink(app, intent.id, {}, live))).toEqual([404, 'not_found'])
  const reader = await app.newKey(app.account, 'test', 'discovery')
  expect(told(await makeLink(app, intent.id, {}, { key: reader.token }))).toEqual([403, 'insufficient_scope'])
  await app.post(`/v1/purchase_intents/${intent.id}/cancel`, {})
  expect(told(await makeLink(app, intent.id))).toEqual([409, 'not_approvable'])
  const late = await newPurchase()
  await clock.set(new Date(late.approval.expires_at))
  expect(told(await makeLink(app, late.id))).toEqual([409, 'not_approvable'])
  const nowhere = await app.post('/v1/profiles', person)
  const { body: waiting } = await createPurchase(app, { ...buyer, profileId: nowhere.body.id })
  expect(told(await makeLink(app, waiting.id))).toEqual([409, 'shipping_address_required'])
})

test('a link leads back only to pages that the account has named', async () => {
  const { id } = await newPurchase()
  const issue = (origins: string[], capabilities: ('elements' | 'catalog:read')[], mode: Mode = 'test') => {
    const made = { kind: 'publishable', name: 'page', preset: 'full', clientSecrets: 'optional' } as const
    return asOperator(async (ctx) => issueKey(ctx, { ...made, capabilities, origins, expiresAt: null }), mode)
  }
  await issue(['https://shop.example', 'http://localhost:8080'], ['elements'])
  await issue(['https://reader.example'], ['catalog:read'])
  await issue(['https://live.example'], ['elements'], 'live')
  const { key: gone } = await issue(['https://gone.example'], ['elements'])
  await asOperator((ctx) => revokeKey(ctx, gone.id))
  for (const return_url of ['https://shop.example/done?x=1', 'http://localhost:8080/'])
    expect((await makeLink(app, id, { return_url })).body.return_url).toBe(return_url)
  for (const return_url of [
    'https://evil.example/',
    'https://shop.example.evil.example/',
    'https://shop.example@evil.example/',
    'https://me:pass@shop.example/',
    'http://shop.example/',
    'https://reader.example/',
    'https://live.example/',
    'https://gone.example/',
    'javascript:alert(1)',
    '/done',
  ])
    expect([return_url, told(await makeLink(app, id, { return_url }))]).toEqual([
      return_url,
      [422, undefined],
    ])
})

test('looking at the page uses nothing up: fifty times each way, and then the person goes on', async () => {
  const { id } = await newPurchase()
  const token = tokenOf(await makeLink(app, id))
  const headers = { host: 'elements.localhost:4000' }
  const looks = ['GET', 'HEAD'].flatMap((method) => Array.from({ length: 50 }, () => method))
  const answers = await Promise.all(
    looks.map((method) => bareRequest(`${app.url}/elements/v1/approve`, { method, headers })),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(told(await claim(app, token))).toBe(201)
})

test('the click makes a session for that purchase, in which the person sees it and their cards', async () => {
  const { id, approval } = await newPurchase()
  const opened = await claim(app, tokenOf(await makeLink(app, id)))
  expect(opened.body).toMatchObject({
    component: 'ApprovalPage',
    mode: 'test',
    may: ['read', 'approve'],
    profile_id: buyer.profileId,
    purchase_intent_id: id,
    vault_url: framesOfTests.vaultUrl,
    account_name: 'Integrator',
    answer_by: approval.expires_at,
    buyer: { name: 'Ada Lovelace', email: 'ada@example.com', phone: null },
    ship_to: { line1: 'Unter den Linden 1', city: 'Berlin', country: 'DE' },
  })
  const { session } = opened.body
  expect((await seen(session)).body.id).toBe(id)
  const cards = await app.request('GET', '/elements/v1/payment_methods', { key: session })
  expect(cards.body.data.map((one: { id: string }) => one.id)).toEqual([buyer.paymentMethodId])
  const added = await app.request('POST', '/elements/v1/payment_methods', {
    key: session,
    body: { type: 'card', card: { kind: 'existing', vault_token_id: 'visa_auto_approved' } },
  })
  expect(told(added)).toEqual([403, 'insufficient_scope'])
})

test('a link is of the browser that has claimed it', async () => {
  const { id } = await newPurchase()
  const token = tokenOf(await makeLink(app, id))
  const secret = newSecret()
  // Who only looks does not claim it.
  const before = await look(app, token)
  expect(before.body).toMatchObject({ account_name: 'Integrator', mode: 'test', outcome: null })
  expect(told(await claim(app, token, secret))).toBe(201)
  for (const ask of [claim, look]) expect(told(await ask(app, token))).toEqual([410, 'link_claimed'])
  // After a reload, or where the first answer was lost.
  const again = await claim(app, token, secret)
  expect(told(again)).toBe(201)
  expect(told(await seen(again.body.session))).toBe(200)
})

test('of fifty browsers that claim a link at once, one has it', async () => {
  const { id } = await newPurchase()
  const token = tokenOf(await makeLink(app, id))
  const answers = await Promise.all(Array.from({ length: 50 }, () => claim(app, token)))
  const counted = Object.groupBy(answers, (answer) => String(told(answer)))
  expect(Object.keys(counted).sort()).toEqual(['201', '410,link_claimed'])
  expect(counted['201']).toHaveLength(1)
})

test('a session ends after 15 minutes without use and after an hour, and goes on for who has claimed the link', async () => {
  const { id } = await newPurchase()
  const token = tokenOf(await makeLink(app, id))
  const secret = newSecret()
  const { session } = (await claim(app, token, secret)).body
  await clock.advance(15 * minute - 1)
  expect(told(await seen(session))).toBe(200)
  for (const ms of [14 * minute, 14 * minute, 14 * minute, 3 * minute]) {
    await clock.advance(ms)
    expect(told(await seen(session))).toBe(200)
  }
  await clock.advance(1)
  expect(told(await seen(session))).toEqual([410, 'session_expired'])
  const next = (await claim(app, token, secret)).body.session
  await clock.advance(15 * minute)
  expect(told(await seen(next))).toEqual([410, 'session_expired'])
  expect(told(await claim(app, token, secret))).toBe(201)
})

test('a link is over when its time is, and its session with it', async () => {
  const { id, approval } = await newPurchase()
  const token = tokenOf(await makeLink(app, id))
  const secret = newSecret()
  await clock.set(new Date(new Date(approval.expires_at).getTime() - 5 * minute))
  const { session, expires_at } = (await claim(app, token, secret)).body
  expect(expires_at).toBe(approval.expires_at)
  await clock.advance(5 * minute - 1)
  expect(told(await seen(session))).toBe(200)
  await clock.advance(1)
  expect(told(await seen(session))).toEqual([410, 'session_expired'])
  expect(told(await claim(app, token, secret))).toEqual([410, 'link_over'])
  expect(told(await claim(app, 'pr_al_test_unknownunknownunknownunknown'))).toEqual([410, 'link_over'])
})

test('the page ends when the purchase waits for nobody, and says what became of it to who opened it alone', async () => {
  const { id } = await newPurchase()
  const [token, unopened] = [tokenOf(await makeLink(app, id)), tokenOf(await makeLink(app, id))]
  const secret = newSecret()
  const { session } = (await claim(app, token, secret)).body
  const declined = await answerOn(app, session, { approve: false })
  expect([told(declined), declined.body.status]).toEqual([200, 'declined'])
  expect(await eventsOf(id)).toContainEqual({
    type: 'purchase_intent.declined',
    actor_type: 'cardholder',
    actor_id: buyer.profileId,
  })
  expect(told(await seen(session))).toEqual([410, 'session_expired'])
  expect(told(await answerOn(app, session, { approve: false }))).toEqual([410, 'session_expired'])
  expect(told(await claim(app, token, secret))).toEqual([410, 'link_over'])
  expect((await look(app, token, secret)).body.outcome).toEqual({
    purchase_intent_id: id,
    status: 'declined',
    return_url: null,
  })
  expect(told(await look(app, token))).toEqual([410, 'link_claimed'])
  for (const ask of [claim, look]) expect(told(await ask(app, unopened))).toEqual([410, 'link_over'])
})

test('a link for one question answers no later one', async () => {
  const { id } = await newPurchase()
  const token = tokenOf(await makeLink(app, id))
  const secret = newSecret()
  const { session } = (await claim(app, token, secret)).body
  // As when a price has risen after an approval: the purchase waits again, for longer.
  await app.sql(
    `update purchase_intents set approval_expires_at = approval_expires_at + interval '1 hour' where id = $1`,
    [id],
  )
  expect(told(await answerOn(app, session, { approve: false }))).toEqual([410, 'session_expired'])
  expect(told(await claim(app, token, secret))).toEqual([410, 'link_over'])
})

test('a link and its session end with the key that made the link', async () => {
  const { id } = await newPurchase()
  const made = await app.newKey(app.account, 'test', 'buyer_agent')
  const link = () => makeLink(app, id, {}, { key: made.token })
  const [token, unopened] = [tokenOf(await link()), tokenOf(await link())]
  const secret = newSecret()
  const { session } = (await claim(app, token, secret)).body
  await asOperator((ctx) => revokeKey(ctx, made.id as `key_${string}`))
  expect(told(await seen(session))).toEqual([410, 'session_expired'])
  expect(told(await claim(app, token, secret))).toEqual([410, 'link_over'])
  expect(told(await claim(app, unopened))).toEqual([410, 'link_over'])
})

test('an agent approves nothing with what it has', async () => {
  const { id } = await newPurchase()
  const own = await app.post(`/v1/purchase_intents/${id}/approve`, { approve: true }, { key: agent.token })
  expect(told(own)).toEqual([403, 'insufficient_scope'])
  const token = tokenOf(await makeLink(app, id, {}, { key: agent.token }))
  for (const key of [token, agent.token])
    expect(told(await answerOn(app, key, { approve: true, max_allowed_amount: 1 }))).toEqual([
      410,
      'session_expired',
    ])
  // It can open the page itself, and stands there before the proof that it does not have.
  const session = await openPage(app, id)
  const answer = await answerOn(app, session, {
    approve: true,
    max_allowed_amount: (await seen(session)).body.max_allowed_amount,
  })
  expect(told(answer)).toEqual([409, 'payment_verification_required'])
})

test('an installation that shows no components makes no links', async () => {
  const bare = await startTestApp({ elements: null })
  try {
    const { body } = await createPurchase(bare, await newBuyer(bare))
    const answer = await makeLink(bare, body.id)
    expect(told(answer)).toEqual([409, 'approval_pages_not_configured'])
    expect(answer.body.detail.message).toContain('PROKURA_ELEMENTS_URL')
  } finally {
    await bare.stop()
  }
})

const eventsOf = (id: string) =>
  app.sql('select type, actor_type, actor_id from events where aggregate_id = $1 order by sequence', [id])

const person = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'DE' }
