import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { Authenticator } from '../../../../test/harness/authenticator.ts'
import { type Buyer, createPurchase, newBuyer } from '../../../../test/harness/buyers.ts'
import {
  type Component,
  type ComponentPage,
  elementsOfTests,
  openComponentPage,
  windowOf,
} from '../../../../test/harness/component-page.ts'
import { relayOnce } from '../../../../test/harness/relay-once.ts'
import { type StoppedClock, stopClock } from '../../../../test/harness/stopped-clock.ts'

import { deletePasskeys } from './delete-passkeys.ts'

let app: TestApp
let clock: StoppedClock
let page: ComponentPage
beforeAll(async () => {
  app = await startTestApp({ testClock: true, elements: elementsOfTests })
  clock = await stopClock(app.parts.pools, new Date('2026-03-01T12:00:00Z'))
  page = await openComponentPage(app)
})
afterAll(() => app.stop())

const told = ({ status, body }: Answer) =>
  status < 300 ? [status, body.status] : [status, body?.detail?.code]

/** A buyer whose card is enrolled, with a purchase that waits for them, and the component that their page shows for it. */
async function atApproval(card: string) {
  const buyer = await newBuyer(app, { card, enrolled: true })
  if (card.endsWith('otp_required')) {
    const path = `/v1/profiles/${buyer.profileId}/payment_methods/${buyer.paymentMethodId}/verify`
    await app.post(path, { method: 'otp', code: '123456' })
  }
  return { buyer, ...(await anotherPurchase(buyer)) }
}

async function anotherPurchase(buyer: Buyer) {
  const { body: intent } = await createPurchase(app, buyer)
  const component = await page.openVouched('AddOrSelectPaymentMethod', { purchase_intent_id: intent.id })
  const begin = (more: object = {}) =>
    component.post('/purchase_intent/payment_verifications', {
      profile_payment_method_id: buyer.paymentMethodId,
      ...more,
    })
  const approve = (more: object) =>
    app.post(`/v1/purchase_intents/${intent.id}/approve`, { approve: true, ...more })
  return { intent, component, begin, approve }
}

const proofOf = (method: string, { body }: Answer) => ({
  payment_verification: { method, assertion: body.assertion },
})

test('a card that needs nothing says so, and one that is not enrolled asks for its code', async () => {
  const { begin } = await atApproval('visa_auto_approved')
  expect((await begin()).body).toMatchObject({
    object: 'payment_verification',
    method: 'none',
    window_url: null,
  })
  expect((await begin({ agentic_credentials_preference: 'never' })).body.method).toBe('cvc')
})

test('a code that the bank has sent proves one purchase, once, and the page passes the proof on', async () => {
  const { buyer, begin, component, approve } = await atApproval('visa_otp_required')
  const begun = await begin()
  expect([begun.status, begun.body]).toMatchObject([
    201,
    { method: 'otp', status: 'pending', assertion: null },
  ])
  const path = `/payment_verifications/${begun.body.id}`
  expect(told(await component.post(`${path}/code`, { code: '000000' }))).toEqual([409, 'verification_failed'])
  const proven = await component.post(`${path}/code`, { code: '123456' })
  expect(proven.body).toMatchObject({ status: 'proven', assertion: expect.stringMatching(/^pv_/) })
  expect(told(await component.post(`${path}/code`, { code: '123456' }))).toEqual([410, 'verification_used'])
  expect((await component.get(path)).body).toEqual(proven.body)

  const other = await anotherPurchase(buyer)
  const proof = proofOf('otp', proven)
  expect(told(await other.approve(proof))).toEqual([409, 'verification_wrong_intent'])
  const { assertion } = proven.body
  const forged = assertion.slice(0, -1) + (assertion.endsWith('A') ? 'B' : 'A')
  for (const wrong of [`${assertion}x`, forged])
    expect(told(await approve({ payment_verification: { method: 'otp', assertion: wrong } }))).toEqual([
      409,
      'payment_verification_required',
    ])
  const all = await Promise.all(Array.from({ length: 8 }, () => approve(proof)))
  expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 409)])
  const [row] = await app.sql<{ used_at: Date | null }>(
    `select used_at from payment_verifications where id = $1`,
    [begun.body.id],
  )
  expect(row?.used_at).not.toBeNull()
})

test('a proof that approved once is used, whatever becomes of the purchase', async () => {
  const { begin, component, approve, intent } = await atApproval('visa_otp_required')
  const { body } = await begin()
  const proven = await component.post(`/payment_verifications/${body.id}/code`, { code: '123456' })
  expect(told(await approve(proofOf('otp', proven)))).toEqual([200, 'approved'])
  // The same purchase waits for a person once more.
  await app.sql(
    `update purchase_intents set status = 'awaiting_approval', approval_expires_at = prokura_now() + interval '1 day', due_at = null where id = $1`,
    [intent.id],
  )
  expect(told(await approve(proofOf('otp', proven)))).toEqual([410, 'verification_used'])
})

test('a proof is of one card, of one cap, and of a quarter of an hour', async () => {
  const { buyer, begin, component, approve, intent } = await atApproval('visa_otp_required')
  const { body } = await begin()
  const proven = await component.post(`/payment_verifications/${body.id}/code`, { code: '123456' })
  const proof = proofOf('otp', proven)
  const second = await app.post(`/v1/profiles/${buyer.profileId}/payment_methods`, {
    type: 'card',
    card: {
      kind: 'existing',
      vault_token_id: 'mastercard_otp_required',
      agentic_credentials_enrollment_requested: true,
      agentic_terms_acknowledged: true,
    },
  })
  const path = `/v1/profiles/${buyer.profileId}/payment_methods/${second.body.id}/verify`
  await app.post(path, { method: 'otp', code: '123456' })
  expect(told(await approve({ ...proof, profile_payment_method_id: second.body.id }))).toEqual([
    409,
    'payment_verification_required',
  ])
  await app.sql(`update purchase_intents set max_allowed_amount = max_allowed_amount + 1 where id = $1`, [
    intent.id,
  ])
  expect(told(await approve(proof))).toEqual([409, 'approval_stale'])
  await app.sql(`update purchase_intents set max_allowed_amount = max_allowed_amount - 1 where id = $1`, [
    intent.id,
  ])
  await clock.advance(15 * 60_000)
  expect(told(await approve(proof))).toEqual([409, 'payment_verification_required'])
})

test('three wrong codes end the proof and the enrollment, and the card asks for its security code', async () => {
  const { begin, component } = await atApproval('visa_otp_required')
  const { body } = await begin()
  const path = `/payment_verifications/${body.id}`
  for (let time = 0; time < 3; time++) await component.post(`${path}/code`, { code: '1' })
  // What else is tried from this address goes on.
  await app.sql('delete from card_refusals')
  expect((await component.get(path)).body).toMatchObject({ status: 'refused', assertion: null })
  expect(told(await component.post(`${path}/code`, { code: '123456' }))).toEqual([410, 'verification_used'])
  expect((await begin()).body.method).toBe('cvc')
})

test('pages of other keys and origins, other profiles and accounts see no proof', async () => {
  const { buyer, begin } = await atApproval('visa_otp_required')
  const { body } = await begin()
  const path = `/payment_verifications/${body.id}`
  const elsewhere = await openComponentPage(app, { origin: 'https://other.example' })
  const stranger = await openComponentPage(app, { account: app.stranger })
  const strange = await app.post(
    '/v1/profiles',
    { first_name: 'S', email: 's@example.com', country: 'AT' },
    { key: app.stranger.keys.secret_test },
  )
  const others: Component[] = [
    await elsewhere.open('AddOrSelectPaymentMethod', { profile_id: buyer.profileId }),
    await page.open('AddPaymentMethod', { profile_id: (await newBuyer(app)).profileId }),
    await stranger.open('AddPaymentMethod', { profile_id: strange.body.id }),
  ]
  for (const other of others) {
    expect(told(await other.get(path))).toEqual([404, 'not_found'])
    expect(told(await other.post(`${path}/code`, { code: '123456' }))).toEqual([404, 'not_found'])
  }
  expect(told(await app.get(`/elements/v1${path}`))).toEqual([410, 'session_expired'])
})

const [origin, elsewhere] = [elementsOfTests.url, 'https://elsewhere.example']

/** A buyer whose card has a passkey, made in its enrollment. */
async function withPasskey(device = new Authenticator()) {
  const buyer = await newBuyer(app, { card: 'visa_otp_passkey', enrolled: true })
  const component = await page.openVouched('AddPaymentMethod', { profile_id: buyer.profileId })
  const begin = () => component.post(`/payment_methods/${buyer.paymentMethodId}/payment_verifications`)
  const otp = await begin()
  await component.post(`/payment_verifications/${otp.body.id}/code`, { code: '123456' })
  const begun = await begin()
  const window = windowOf(app, begun)
  const { body } = await window.open()
  return { buyer, component, begin, begun, window, device, options: body.options, opened: body }
}

test('a passkey is made in the window, for the card, and proves its purchases', async () => {
  const made = await withPasskey()
  expect(made.opened).toMatchObject({
    method: 'passkey',
    purpose: 'enrollment',
    page: 'https://shop.example',
    card_last4: '1109',
    merchants: [],
    amount: null,
  })
  const state = `/payment_verifications/${made.begun.body.id}`
  expect((await made.component.get(state)).body).toMatchObject({ status: 'pending', is_open: true })
  const credential = made.device.create(made.options, { origin })
  expect(told(await made.window.finish({ credential }))).toEqual([200, 'proven'])
  expect(told(await made.window.finish({ credential }))).toEqual([410, 'verification_used'])
  const path = `/v1/profiles/${made.buyer.profileId}/payment_methods/${made.buyer.paymentMethodId}`
  expect((await app.get(path)).body.card.agentic_credentials_status).toBe('active')

  const { begin, component, approve, intent } = await anotherPurchase(made.buyer)
  const begun = await begin()
  const window = windowOf(app, begun)
  const { body: opened } = await window.open()
  expect(opened).toMatchObject({
    method: 'passkey',
    purpose: 'approval',
    amount: intent.max_allowed_amount,
    currency: intent.currency_code,
    merchants: [new URL(intent.items[0].url).hostname],
  })
  const signed = made.device.get(opened.options, { origin })
  expect(told(await window.finish({ credential: signed }))).toEqual([200, 'proven'])
  const proven = await component.get(`/payment_verifications/${begun.body.id}`)
  expect(told(await approve(proofOf('passkey', proven)))).toEqual([200, 'approved'])
})

test('a passkey goes with its card, and with the profile of the card', async () => {
  const [deleted, archived, kept] = [await withPasskey(), await withPasskey(), await withPasskey()]
  for (const { window, device, options } of [deleted, archived, kept])
    expect(told(await window.finish({ credential: device.create(options, { origin }) }))).toEqual([
      200,
      'proven',
    ])
  const { profileId, paymentMethodId } = deleted.buyer
  const path = `/v1/profiles/${profileId}/payment_methods/${paymentMethodId}`
  expect((await app.request('DELETE', path)).status).toBe(200)
  expect((await app.post(`/v1/profiles/${archived.buyer.profileId}/archive`)).status).toBe(200)
  await relayOnce(app, [deletePasskeys])
  const cards = [deleted, archived, kept].map(({ buyer }) => buyer.paymentMethodId)
  expect(
    await app.sql('select payment_method_id from card_passkeys where payment_method_id = any($1)', [cards]),
  ).toEqual([{ payment_method_id: kept.buyer.paymentMethodId }])
})

test('a passkey of another card or page, an old question, or a person who was not recognised prove nothing', async () => {
  const mine = await withPasskey()
  await mine.window.finish({ credential: mine.device.create(mine.options, { origin }) })
  const another = await withPasskey(mine.device)
  const foreign = another.device.create(another.options, { origin })
  await another.window.finish({ credential: foreign })
  for (const wrong of [
    (options: never) => mine.device.get(options, { origin: elsewhere }),
    (options: never) => mine.device.get(options, { origin, isVerified: false }),
    (options: never) => mine.device.get(options, { origin }, foreign.id),
    (options: object) => mine.device.get({ ...options, challenge: 'AAAA' } as never, { origin }),
    (options: object) => mine.device.get({ ...options, rpId: 'elsewhere.example' } as never, { origin }),
    () => ({ id: 'x' }),
  ]) {
    await app.sql(`update payment_methods set failed_verifications = 0 where id = $1`, [
      mine.buyer.paymentMethodId,
    ])
    const { begin } = await anotherPurchase(mine.buyer)
    const window = windowOf(app, await begin())
    const { body } = await window.open()
    expect(told(await window.finish({ credential: wrong(body.options as never) }))).toEqual([200, 'refused'])
    expect(told(await window.finish({ credential: mine.device.get(body.options, { origin }) }))).toEqual([
      410,
      'verification_used',
    ])
  }
})

test('what was signed for an earlier opening of the window proves nothing', async () => {
  const made = await withPasskey()
  const credential = made.device.create(made.options, { origin })
  await made.window.open()
  expect(told(await made.window.finish({ credential }))).toEqual([200, 'refused'])
})

test('what is signed for an earlier opening proves nothing either when the window opens again meanwhile', async () => {
  const made = await withPasskey()
  const credential = made.device.create(made.options, { origin })
  const other = new Client({ connectionString: app.databaseUrl })
  await other.connect()
  await other.query('begin')
  await other.query(`update payment_verifications set challenge = 'another' where id = $1`, [
    made.begun.body.id,
  ])
  const finishing = made.window.finish({ credential })
  const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  await expect.poll(async () => (await app.sql(waiting)).length, { interval: 5 }).toBe(1)
  await other.query('commit')
  await other.end()
  expect(told(await finishing)).toEqual([410, 'verification_used'])
})

test('a window that is closed without an answer costs no guess; the third wrong passkey in a row ends the enrollment', async () => {
  const made = await withPasskey()
  expect(told(await made.window.finish({ is_confirmed: false }))).toEqual([200, 'refused'])
  for (let time = 0; time < 3; time++) {
    const window = windowOf(app, await made.begin())
    await window.open()
    expect(told(await window.finish({ credential: { id: 'x' } }))).toEqual([200, 'refused'])
  }
  expect(told(await made.begin())).toEqual([409, 'enrollment_not_pending'])
})

test('a window is nobody’s but who has its token, and ends with its time and its key', async () => {
  const made = await withPasskey()
  const ask = (window: string) =>
    app.request('POST', '/elements/v1/ceremonies/open', { key: null, body: { window } })
  expect(told(await ask(`${made.window.token.slice(0, -1)}_`))).toEqual([410, 'session_expired'])
  expect(told(await ask('x'))).toEqual([410, 'session_expired'])
  await app.sql(`update api_keys set revoked_at = prokura_now() where id = $1`, [page.keyId])
  expect(told(await made.window.open())).toEqual([410, 'session_expired'])
  await app.sql(`update api_keys set revoked_at = null where id = $1`, [page.keyId])
  expect((await made.window.open()).status).toBe(200)
  await clock.advance(15 * 60_000)
  expect(told(await made.window.open())).toEqual([410, 'session_expired'])
})

test('a security code that a person has typed approves one purchase, once', async () => {
  const buyer = await newBuyer(app, { enrolled: false })
  const tenant = { accountId: app.account.accountId, mode: 'test' } as const
  const typed = (code: string) => ({ temporary_cvc_token_id: app.vault.type(tenant, buyer.profileId, code) })
  const [first, second] = [await anotherPurchase(buyer), await anotherPurchase(buyer)]
  const needed = [409, 'payment_verification_required']
  expect(told(await first.approve(typed('112')))).toEqual(needed)
  expect(told(await first.approve(typed('1111')))).toEqual(needed)
  const right = typed('111')
  app.vault.away = true
  expect(told(await first.approve(right))).toEqual([503, 'unavailable'])
  app.vault.away = false
  // An approval that is refused leaves the code with its purchase.
  expect(told(await first.approve({ ...right, max_allowed_amount: 1 }))).toEqual([409, 'approval_stale'])
  expect(told(await second.approve(right))).toEqual([409, 'verification_wrong_intent'])
  const all = await Promise.all(Array.from({ length: 8 }, () => first.approve(right)))
  expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
  await app.sql(`update purchase_intents set status = 'awaiting_approval', due_at = null where id = $1`, [
    first.intent.id,
  ])
  expect(told(await first.approve(right))).toEqual([410, 'verification_used'])
  const unknown = { temporary_cvc_token_id: `pr_cvc_test_${'A'.repeat(33)}` }
  expect(told(await second.approve(unknown))).toEqual(needed)
  const strangers = { temporary_cvc_token_id: app.vault.type(tenant, (await newBuyer(app)).profileId, '111') }
  expect(told(await second.approve(strangers))).toEqual(needed)
})

test('a component for something else proves no card, and none answers in place of a window', async () => {
  const buyer = await newBuyer(app)
  const { body: intent } = await createPurchase(app, buyer, {
    items: [
      {
        url: 'https://shop.example/cup?scenario=sign_in_required',
        quantity: 1,
        expected_amount: 1000,
        expected_currency: 'EUR',
      },
    ],
  })
  const next_action = { type: 'merchant_sign_in', element: 'MerchantAuthHandoff', expires_at: null }
  await app.sql(`update purchase_intents set next_action = $2 where id = $1`, [
    intent.id,
    JSON.stringify(next_action),
  ])
  const handoff = await page.open('MerchantAuthHandoff', { purchase_intent_id: intent.id })
  const asked = { profile_payment_method_id: buyer.paymentMethodId }
  const refused = [403, 'insufficient_scope']
  expect(told(await handoff.post('/purchase_intent/payment_verifications', asked))).toEqual(refused)
  expect(told(await handoff.get('/payment_verifications/pver_1'))).toEqual(refused)

  const owner = await newBuyer(app, { card: 'mastercard_popup', enrolled: true })
  const adding = await page.open('AddPaymentMethod', { profile_id: owner.profileId })
  const path = `/payment_methods/${owner.paymentMethodId}/verify`
  expect(told(await adding.post(path, { method: 'popup', assertion: 'made' }))).toEqual([
    409,
    'enrollment_not_pending',
  ])
})
