import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { createPurchase, newBuyer } from '../../../../test/harness/buyers.ts'
import { answerOf, inviteTo, memberOf, openConsole } from '../../../../test/harness/console.ts'
import { type StoppedClock, stopClock } from '../../../../test/harness/stopped-clock.ts'
import type { Id } from '../../../core/id.ts'
import { runAs } from '../../../platform/calls/run-as.ts'
import { consoleOrigin, makeLink } from './public.ts'

let app: TestApp
let clock: StoppedClock
beforeAll(async () => {
  app = await startTestApp({ testClock: true })
  clock = await stopClock(app.parts.pools, new Date('2026-03-01T12:00:00Z'))
})
afterAll(() => app.stop())

const told = ({ status, body }: Answer) => (status < 300 ? status : [status, body?.detail?.code])
let count = 0
const someone = (name = 'ada') => `${name}${++count}@example.com`

test('an invitation signs in once, and fifty programs that open it first leave it whole', async () => {
  const { person, link } = await inviteTo(app, app.account, { email: someone(), role: 'approver' })
  const token = new URL(link.url).hash.slice(1)
  for (let scan = 0; scan < 50; scan++) {
    const seen = await openConsole(app).request('POST', '/console/v1/sign_in/links/look', { token })
    expect(seen.body).toMatchObject({ kind: 'invitation', email: person.email })
  }
  const browser = openConsole(app)
  expect(told(await browser.signInByLink(link.url))).toBe(201)
  expect((await browser.request('GET', '/console/v1/session')).body).toMatchObject({
    id: person.id,
    role: 'approver',
    has_passkey: false,
    accounts: [{ id: app.account.accountId, role: 'approver' }],
  })
  expect(told(await openConsole(app).signInByLink(link.url))).toEqual([403, 'sign_in_failed'])
})

test('a link is over after its time, and a new one ends the one before', async () => {
  const email = someone()
  const first = await inviteTo(app, app.account, { email, role: 'viewer' })
  const second = await inviteTo(app, app.account, { email, role: 'viewer' })
  expect(told(await openConsole(app).signInByLink(first.link.url))).toEqual([403, 'sign_in_failed'])
  await clock.advance(72 * 3_600_000 + 1)
  expect(told(await openConsole(app).signInByLink(second.link.url))).toEqual([403, 'sign_in_failed'])
})

test('a session that has shown a link alone looks, and does nothing else', async () => {
  const { link } = await inviteTo(app, app.account, { email: someone(), role: 'owner' })
  const browser = openConsole(app)
  await browser.signInByLink(link.url)
  expect(told(await browser.request('GET', '/v1/profiles'))).toBe(200)
  const profile = { first_name: 'A', email: 'a@example.com', country: 'US' }
  expect(told(await browser.request('POST', '/v1/profiles', profile))).toEqual([403, 'insufficient_scope'])
  expect(told(await browser.addPasskey())).toBe(201)
  expect(told(await browser.request('POST', '/v1/profiles', profile))).toBe(201)
})

test('a passkey signs in without anybody saying who they are, and only where it is known', async () => {
  const { browser, passkey, person } = await memberOf(app, app.account, { email: someone(), role: 'viewer' })
  const again = openConsole(app, browser.device)
  expect(told(await again.signInByPasskey(passkey))).toBe(201)
  expect((await again.request('GET', '/console/v1/session')).body).toMatchObject({
    id: person.id,
    signed_in_by: 'passkey',
    has_passkey: true,
  })
  // One that was made here for nobody.
  const stray = openConsole(app)
  const { id: unknown } = stray.device.create(
    { challenge: 'AAAA', rp: { id: 'localhost' } },
    { origin: consoleOrigin(app.parts.settings) },
  )
  expect(told(await stray.signInByPasskey(unknown))).toEqual([403, 'sign_in_failed'])
})

test('what a browser has signed to sign in is used up by the first try', async () => {
  const { browser, passkey } = await memberOf(app, app.account, { email: someone(), role: 'viewer' })
  const other = openConsole(app, browser.device)
  const { body } = await other.request('POST', '/console/v1/sign_in/passkeys/ask')
  const origin = consoleOrigin(app.parts.settings)
  const credential = other.device.get(body.options, { origin }, passkey)
  const signed = { id: body.id, credential }
  expect(told(await other.request('POST', '/console/v1/sign_in/passkeys', signed))).toBe(201)
  expect(told(await openConsole(app).request('POST', '/console/v1/sign_in/passkeys', signed))).toEqual([
    403,
    'sign_in_failed',
  ])
})

test('sessions end: by sign-out, from another browser, after twelve idle hours, after fourteen days', async () => {
  const { browser, passkey } = await memberOf(app, app.account, { email: someone(), role: 'viewer' })
  const other = openConsole(app, browser.device)
  await other.signInByPasskey(passkey)
  const { body } = await other.request('GET', '/console/v1/sessions')
  expect(body.data.map(({ is_this }: { is_this: boolean }) => is_this)).toEqual([true, false])
  expect((await other.request('DELETE', '/console/v1/sessions')).body).toEqual({ ended: 1 })
  expect(told(await browser.request('GET', '/console/v1/session'))).toEqual([401, 'unauthorized'])
  const kept = other.cookie
  await other.request('POST', '/console/v1/sign_out')
  other.cookie = kept
  expect(told(await other.request('GET', '/console/v1/session'))).toEqual([401, 'unauthorized'])

  await other.signInByPasskey(passkey)
  await clock.advance(12 * 3_600_000 + 1)
  expect(told(await other.request('GET', '/console/v1/session'))).toEqual([401, 'unauthorized'])

  await other.signInByPasskey(passkey)
  for (let half = 0; half < 28; half++) {
    expect(told(await other.request('GET', '/console/v1/session'))).toBe(200)
    await clock.advance(12 * 3_600_000 - 1)
  }
  await clock.advance(1000)
  expect(told(await other.request('GET', '/console/v1/session'))).toEqual([401, 'unauthorized'])
})

test('another person ends no session of mine, and a suspended one has none', async () => {
  const one = await memberOf(app, app.account, { email: someone(), role: 'viewer' })
  const two = await memberOf(app, app.account, { email: someone(), role: 'owner' })
  const { body } = await one.browser.request('GET', '/console/v1/sessions')
  const path = `/console/v1/sessions/${body.data[0].id}`
  expect(told(await two.browser.request('DELETE', path))).toEqual([404, 'not_found'])
  const suspended = await two.browser.confirm('POST', `/v1/people/${one.person.id}`, { status: 'suspended' })
  expect(suspended.body).toMatchObject({ status: 'suspended' })
  expect(told(await one.browser.request('GET', '/console/v1/session'))).toEqual([401, 'unauthorized'])
  expect(told(await one.browser.signInByPasskey(one.passkey))).toEqual([403, 'sign_in_failed'])
  await two.browser.confirm('POST', `/v1/people/${one.person.id}`, { status: 'active' })
  expect(told(await one.browser.signInByPasskey(one.passkey))).toBe(201)
})

test('no other page acts for a person, and a request that says nothing of its page changes nothing', async () => {
  const { browser } = await memberOf(app, app.account, { email: someone(), role: 'owner' })
  const evil = { origin: 'https://evil.example' }
  expect(told(await browser.request('GET', '/v1/profiles', undefined, evil))).toEqual([
    403,
    'origin_not_allowed',
  ])
  const crossed = { headers: { 'sec-fetch-site': 'cross-site' } }
  expect(told(await browser.request('POST', '/v1/profiles', {}, crossed))).toEqual([
    403,
    'origin_not_allowed',
  ])
  const silent = { key: null, headers: { cookie: browser.cookie ?? '' }, body: {} }
  expect(told(await app.request('POST', '/v1/profiles', silent))).toEqual([403, 'origin_not_allowed'])
})

test('no other page signs a person in, and the audit names who has', async () => {
  const { person, link } = await inviteTo(app, app.account, { email: someone(), role: 'viewer' })
  const token = { token: new URL(link.url).hash.slice(1) }
  const evil = { origin: 'https://evil.example' }
  const browser = openConsole(app)
  expect(told(await browser.request('POST', '/console/v1/sign_in/links', token, evil))).toEqual([
    403,
    'origin_not_allowed',
  ])
  expect(told(await browser.signInByLink(link.url))).toBe(201)
  expect(
    await app.sql(
      `select type, actor_type, actor_id from events where aggregate_id = $1 and type = 'person.signed_in'`,
      [person.id],
    ),
  ).toEqual([{ type: 'person.signed_in', actor_type: 'person', actor_id: person.id }])
})

test('a session opens the accounts of its person, by their role there, and no other', async () => {
  const email = someone()
  const { browser } = await memberOf(app, app.account, { email, role: 'owner' })
  const stranger = app.stranger.accountId
  expect(told(await browser.request('GET', '/v1/profiles', undefined, { account: stranger }))).toEqual([
    403,
    'not_a_member',
  ])
  const unknown = 'acct_01kwzj0000e0000000000000d5'
  expect(told(await browser.request('GET', '/v1/profiles', undefined, { account: unknown }))).toEqual([
    403,
    'not_a_member',
  ])
})

test('who makes a link for somebody gets by it into no account but their own', async () => {
  const email = someone()
  // A member of one account who has looked and has no passkey yet.
  const { link } = await inviteTo(app, app.account, { email, role: 'owner' })
  await openConsole(app).signInByLink(link.url)
  // The owner of another account invites them there, and uses the link themself.
  const theirs = await inviteTo(app, app.stranger, { email, role: 'viewer' })
  const attacker = openConsole(app)
  expect(told(await attacker.signInByLink(theirs.link.url))).toBe(201)
  const { body } = await attacker.request('GET', '/console/v1/session')
  expect(body.role).toBe('viewer')
  const into = { account: app.account.accountId }
  expect(told(await attacker.request('GET', '/v1/profiles', undefined, into))).toEqual([403, 'not_a_member'])
  expect(told(await attacker.addPasskey())).toEqual([403, 'passkey_required'])
})

test('a further passkey is confirmed by one that is there, and the last one stays', async () => {
  const { browser, passkey } = await memberOf(app, app.account, { email: someone(), role: 'viewer' })
  const first = `/console/v1/passkeys/${passkey}`
  expect(told(await browser.confirm('DELETE', first))).toEqual([409, 'last_passkey'])
  const { body } = await browser.request('POST', '/console/v1/passkeys/ask')
  const origin = consoleOrigin(app.parts.settings)
  const made = { id: body.id, credential: browser.device.create(body.options, { origin }), name: 'phone' }
  expect(told(await browser.request('POST', '/console/v1/passkeys', made))).toEqual([403, 'step_up_required'])
  expect(told(await browser.confirm('POST', '/console/v1/passkeys', made, { as: passkey }))).toBe(201)
  expect(told(await browser.confirm('DELETE', first, undefined, { as: passkey }))).toBe(200)
  expect((await browser.request('GET', '/console/v1/passkeys')).body.data).toMatchObject([{ name: 'phone' }])
})

test('who has lost their passkey is let in again by a link that the operator prints, and by no invitation', async () => {
  const email = someone()
  const { person } = await memberOf(app, app.account, { email, role: 'viewer' })
  await expect(inviteTo(app, app.account, { email, role: 'viewer' })).rejects.toMatchObject({
    code: 'already_a_member',
  })
  const tenant = { accountId: app.account.accountId, mode: 'test' } as const
  const actor = { type: 'system', id: 'operator:test' } as const
  const made = { personId: person.id as Id<'per'>, kind: 'printed_link', by: 'operator:test' } as const
  const { url } = await runAs(app.parts, { tenant, actor }, (ctx) => makeLink(ctx, made))
  const browser = openConsole(app)
  expect(told(await browser.signInByLink(url))).toBe(201)
  expect(told(await browser.addPasskey())).toBe(201)
  expect((await browser.request('GET', '/console/v1/passkeys')).body.data).toHaveLength(2)
})

test('one signature confirms one call, also where the same call could be made again', async () => {
  const { browser } = await memberOf(app, await app.newAccount(), { email: someone(), role: 'owner' })
  const policy = { name: 'Small things', currency: 'USD', limits: { per_transaction_max: 1000 } }
  const asking = await browser.confirmation('POST', '/v1/policies', policy)
  const both = await Promise.all([1, 2].map(() => browser.request('POST', '/v1/policies', policy, asking)))
  expect(both.map(({ status }) => status).sort()).toEqual([201, expect.any(Number)])
  expect(both.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(told(await browser.request('POST', '/v1/policies', policy, asking))).toEqual([
    403,
    'step_up_required',
  ])
})

test('an address that asks to sign in all the time is told to wait', async () => {
  const own = await startTestApp({ limits: { keyGuesses: 3 } })
  const browser = openConsole(own)
  const ask = async () => told(await browser.request('POST', '/console/v1/sign_in/passkeys/ask'))
  expect([await ask(), await ask(), await ask(), await ask()].at(-1)).toEqual([429, 'rate_limited'])
  await own.stop()
})

test('owners alone make owners, the last one stays, and no key makes anybody', async () => {
  const account = await app.newAccount()
  const owner = await memberOf(app, account, { email: someone(), role: 'owner' })
  const admin = await memberOf(app, account, { email: someone(), role: 'admin' })
  const invite = { email: someone(), name: 'Eve', role: 'owner' }
  expect(told(await admin.browser.confirm('POST', '/v1/people', invite))).toEqual([403, 'owner_required'])
  const own = `/v1/people/${owner.person.id}`
  expect(told(await admin.browser.confirm('POST', own, { role: 'viewer' }))).toEqual([403, 'owner_required'])
  expect(told(await owner.browser.confirm('POST', own, { role: 'viewer' }))).toEqual([409, 'last_owner'])
  expect(told(await app.post('/v1/people', invite, { key: account.keys.secret_test }))).toEqual([
    403,
    'insufficient_scope',
  ])
  const { status, body } = await owner.browser.confirm('POST', '/v1/people', invite)
  expect([status, body.person.role]).toEqual([201, 'owner'])
  expect(told(await openConsole(app).signInByLink(body.link.url))).toBe(201)
})

test('what a person may not send is said before anything is confirmed', async () => {
  const { browser } = await memberOf(app, await app.newAccount(), { email: someone(), role: 'owner' })
  const wrong = [
    ['/v1/people', { email: 'ada', name: '', role: 'king', is_admin: true }],
    ['/v1/people', []],
    ['/v1/people/per_x', { status: 'invited' }],
    [`/v1/people/${'x'.repeat(256)}`, { role: 'viewer' }],
    ['/v1/people/a%00b', { role: 'viewer' }],
  ] as const
  for (const [path, body] of wrong) {
    const { status, body: said } = await browser.request('POST', path, body)
    expect([status, said.detail?.code], path).toEqual([status === 404 ? 404 : 422, said.detail?.code])
  }
  expect(told(await browser.confirm('POST', '/v1/people/per_x', { role: 'viewer' }))).toEqual([
    404,
    'not_found',
  ])
  const card = { email: someone(), name: '4242424242424242', role: 'viewer' }
  expect((await browser.request('POST', '/v1/people', card)).status).toBe(422)
})

test('a person approves what they have been shown, once, and nothing else by the same signature', async () => {
  const { browser, person } = await memberOf(app, app.account, { email: someone(), role: 'approver' })
  const buyer = await newBuyer(app, { card: 'visa_auto_approved', enrolled: true })
  const { body: intent } = await createPurchase(app, buyer)
  const { body: other } = await createPurchase(app, buyer)
  const path = `/v1/purchase_intents/${intent.id}/approve`
  const asked = await browser.request('POST', path, { approve: true })
  expect(asked.body.detail).toMatchObject({
    code: 'step_up_required',
    step_up: { terms: { what: 'purchase_approved', max_allowed_amount: intent.max_allowed_amount } },
  })
  const { id, options } = asked.body.detail.step_up
  const origin = consoleOrigin(app.parts.settings)
  const headers = { 'prokura-step-up': answerOf(id, browser.device.get(options, { origin })) }
  const otherPath = `/v1/purchase_intents/${other.id}/approve`
  expect(told(await browser.request('POST', otherPath, { approve: true }, { headers }))).toEqual([
    403,
    'step_up_required',
  ])
  const approved = await browser.request('POST', path, { approve: true }, { headers })
  expect(approved.body).toMatchObject({ status: 'approved', approval: { approved_by: 'person' } })
  const [row] = await app.sql<{ approved_by: string }>(
    'select approved_by from purchase_intents where id = $1',
    [intent.id],
  )
  expect(row?.approved_by).toBe(person.id)
  expect(told(await browser.request('POST', path, { approve: true }, { headers }))).not.toBe(200)
})

test('what was signed five minutes ago, in another session, or by another device confirms nothing', async () => {
  const { browser, passkey } = await memberOf(app, app.account, { email: someone(), role: 'approver' })
  const buyer = await newBuyer(app, { card: 'visa_auto_approved', enrolled: true })
  const { body: intent } = await createPurchase(app, buyer)
  const path = `/v1/purchase_intents/${intent.id}/approve`
  const origin = consoleOrigin(app.parts.settings)
  const signed = async () => {
    const { body } = await browser.request('POST', path, { approve: true })
    const { id, options } = body.detail.step_up
    return { 'prokura-step-up': answerOf(id, browser.device.get(options, { origin })) }
  }
  const late = await signed()
  await clock.advance(5 * 60_000 + 1)
  expect(told(await browser.request('POST', path, { approve: true }, { headers: late }))).toEqual([
    403,
    'step_up_required',
  ])
  const elsewhere = await signed()
  const second = openConsole(app, browser.device)
  await second.signInByPasskey(passkey)
  expect(told(await second.request('POST', path, { approve: true }, { headers: elsewhere }))).toEqual([
    403,
    'step_up_required',
  ])
  const mallory = await memberOf(app, app.account, { email: someone('mallory'), role: 'approver' })
  const { body } = await browser.request('POST', path, { approve: true })
  const { id, options } = body.detail.step_up
  const forged = answerOf(id, mallory.browser.device.get(options, { origin }, mallory.passkey))
  expect(
    told(await browser.request('POST', path, { approve: true }, { headers: { 'prokura-step-up': forged } })),
  ).toEqual([403, 'step_up_required'])
  for (const junk of ['', 'e30', 'not base64 at all', Buffer.from('[1]').toString('base64url')])
    expect(
      told(await browser.request('POST', path, { approve: true }, { headers: { 'prokura-step-up': junk } })),
    ).toEqual([403, 'step_up_required'])
})

test('a purchase whose address changed after it was shown is not approved', async () => {
  const { browser } = await memberOf(app, app.account, { email: someone(), role: 'approver' })
  const buyer = await newBuyer(app, { card: 'visa_auto_approved', enrolled: true })
  const { body: intent } = await createPurchase(app, buyer)
  const path = `/v1/purchase_intents/${intent.id}/approve`
  const { body } = await browser.request('POST', path, { approve: true })
  const { id, options } = body.detail.step_up
  const origin = consoleOrigin(app.parts.settings)
  const headers = { 'prokura-step-up': answerOf(id, browser.device.get(options, { origin })) }
  await app.post(`/v1/profiles/${buyer.profileId}`, { email: 'other@example.com' })
  expect(told(await browser.request('POST', path, { approve: true }, { headers }))).toEqual([
    403,
    'step_up_required',
  ])
})

test('a person declines without a passkey', async () => {
  const { link } = await inviteTo(app, app.account, { email: someone(), role: 'approver' })
  const browser = openConsole(app)
  await browser.signInByLink(link.url)
  const { body: intent } = await createPurchase(app, await newBuyer(app, {}))
  const path = `/v1/purchase_intents/${intent.id}/approve`
  expect(told(await browser.request('POST', path, { approve: true }))).toEqual([403, 'passkey_required'])
  expect((await browser.request('POST', path, { approve: false })).body).toMatchObject({ status: 'declined' })
})

test('a lost answer to a confirmed call is given again to the same key, and nothing is done twice', async () => {
  const { browser } = await memberOf(app, app.account, { email: someone(), role: 'owner' })
  const asking = { headers: { 'idempotency-key': someone('key') } }
  const policy = { name: 'Small things', currency: 'USD', limits: { per_transaction_max: 1000 } }
  const first = await browser.confirm('POST', '/v1/policies', policy, asking)
  const again = await browser.request('POST', '/v1/policies', policy, asking)
  expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id])
})
