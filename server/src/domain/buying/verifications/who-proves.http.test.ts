import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { answerOn, openPage } from '../../../../test/harness/approval-pages.ts'
import { type Buyer, createPurchase, newBuyer } from '../../../../test/harness/buyers.ts'
import {
  type ComponentPage,
  elementsOfTests,
  openComponentPage,
  windowOf,
} from '../../../../test/harness/component-page.ts'
import { requireCheckedCode } from '../intents/public.ts'

let app: TestApp
let page: ComponentPage
beforeAll(async () => {
  app = await startTestApp({ elements: elementsOfTests })
  page = await openComponentPage(app)
})
afterAll(() => app.stop())
beforeEach(() => app.sql('delete from card_refusals'))

const told = ({ status, body }: Answer) => (status < 300 ? status : [status, body?.detail?.code])
const tenant = () => ({ accountId: app.account.accountId, mode: 'test' }) as const

/** A buyer whose card is enrolled with the code of its bank. */
async function enrolled(): Promise<Buyer> {
  const buyer = await newBuyer(app, { card: 'visa_otp_required', enrolled: true })
  const path = `/v1/profiles/${buyer.profileId}/payment_methods/${buyer.paymentMethodId}/verify`
  expect(told(await app.post(path, { method: 'otp', code: '123456' }))).toBe(200)
  return buyer
}

const statusOf = async ({ profileId, paymentMethodId }: Buyer) =>
  (await app.get(`/v1/profiles/${profileId}/payment_methods/${paymentMethodId}`)).body.card
    .agentic_credentials_status

/** The page that the holder of a link has opened. */
async function atPage(buyer: Buyer) {
  const { body: intent } = await createPurchase(app, buyer)
  const session = await openPage(app, intent.id)
  const begin = (more: object = {}) =>
    app.request('POST', '/elements/v1/purchase_intent/payment_verifications', {
      key: session,
      body: { profile_payment_method_id: buyer.paymentMethodId, ...more },
    })
  const approve = (more: Record<string, unknown>) =>
    answerOn(app, session, { approve: true, max_allowed_amount: intent.max_allowed_amount, ...more })
  return { session, begin, approve }
}

test('whoever has a link does not choose a weaker proof than the card asks for', async () => {
  const buyer = await enrolled()
  const { begin, approve } = await atPage(buyer)
  const temporary_cvc_token_id = app.vault.type(tenant(), buyer.profileId, '111')
  for (const agentic_credentials_preference of ['never', 'require', 'prefer']) {
    expect((await begin({ agentic_credentials_preference })).body.method).toBe('otp')
    const answer = await approve({ agentic_credentials_preference, temporary_cvc_token_id })
    expect([told(answer), answer.body.detail.next_action.method]).toEqual([
      [409, 'payment_verification_required'],
      'otp',
    ])
  }
})

test('wrong proofs of whoever has a link leave the card as it is, and are bounded', async () => {
  const buyer = await enrolled()
  const { session, begin, approve } = await atPage(buyer)
  const say = (id: string, code: string) =>
    app.request('POST', `/elements/v1/payment_verifications/${id}/code`, { key: session, body: { code } })
  for (let proof = 0; proof < 10; proof++) {
    const { id } = (await begin()).body
    for (let time = 0; time < 3; time++)
      expect(told(await say(id, '000000'))).toEqual([409, 'verification_failed'])
    expect(told(await say(id, '123456'))).toEqual([410, 'verification_used'])
  }
  expect(told(await begin())).toEqual([409, 'verification_failed'])
  expect(await statusOf(buyer)).toBe('active')
  const temporary_cvc_token_id = app.vault.type(tenant(), buyer.profileId, '111')
  expect(told(await approve({ temporary_cvc_token_id }))).toEqual([409, 'payment_verification_required'])
  // The integrator's own page, of which its server knows, is not concerned.
  const { body: intent } = await createPurchase(app, buyer)
  const own = await page.openVouched('AddOrSelectPaymentMethod', { purchase_intent_id: intent.id })
  const begun = await own.post('/purchase_intent/payment_verifications', {
    profile_payment_method_id: buyer.paymentMethodId,
  })
  const path = `/payment_verifications/${begun.body.id}/code`
  expect((await own.post(path, { code: '123456' })).body.status).toBe('proven')
})

test('refusals in the window of a link leave the card as it is', async () => {
  const buyer = await newBuyer(app, { card: 'mastercard_popup', enrolled: true })
  const path = `/v1/profiles/${buyer.profileId}/payment_methods/${buyer.paymentMethodId}/verify`
  await app.post(path, { method: 'popup', assertion: 'made' })
  const { begin } = await atPage(buyer)
  for (let time = 0; time < 4; time++) {
    const window = windowOf(app, await begin())
    await window.open()
    expect((await window.finish({ is_confirmed: false })).body.status).toBe('refused')
  }
  expect(await statusOf(buyer)).toBe('active')
})

test('a page that nobody vouches for enrolls the cards that were added in it, and no others', async () => {
  const buyer = await newBuyer(app, { card: 'visa_otp_passkey', enrolled: true })
  const bare = await page.open('AddPaymentMethod', { profile_id: buyer.profileId })
  const card = `/payment_methods/${buyer.paymentMethodId}`
  const needed = [403, 'client_secret_required']
  expect(told(await bare.post(`${card}/payment_verifications`))).toEqual(needed)
  expect(told(await bare.post(`${card}/verify`, { method: 'otp', code: '123456' }))).toEqual(needed)
  const known = await page.openVouched('AddPaymentMethod', { profile_id: buyer.profileId })
  expect(told(await known.post(`${card}/payment_verifications`))).toBe(201)

  const own = await bare.post('/payment_methods', {
    type: 'card',
    card: {
      kind: 'existing',
      vault_token_id: 'visa_otp_passkey',
      agentic_credentials_enrollment_requested: true,
      agentic_terms_acknowledged: true,
    },
  })
  expect(told(await bare.post(`/payment_methods/${own.body.id}/payment_verifications`))).toBe(201)
  const later = await page.open('AddPaymentMethod', { profile_id: buyer.profileId })
  expect(told(await later.post(`/payment_methods/${own.body.id}/payment_verifications`))).toEqual(needed)
})

test('where a key asks for client secrets, a page without one proves no card that it does not see', async () => {
  const strict = await openComponentPage(app, { clientSecrets: 'required' })
  const buyer = await enrolled()
  const { body: intent } = await createPurchase(app, buyer)
  const bare = await strict.open('AddOrSelectPaymentMethod', { purchase_intent_id: intent.id })
  const prove = (profile_payment_method_id: string) =>
    bare.post('/purchase_intent/payment_verifications', { profile_payment_method_id })
  expect(told(await prove(String(buyer.paymentMethodId)))).toEqual([403, 'insufficient_scope'])
  const own = await bare.post('/payment_methods', {
    type: 'card',
    card: { kind: 'existing', vault_token_id: 'visa_auto_approved' },
  })
  expect(told(await prove(own.body.id))).toBe(201)
})

test('in live mode no code is taken that nobody can check', () => {
  const { accountId } = tenant()
  expect(() => requireCheckedCode({ tenant: { accountId, mode: 'live' } })).toThrow('Nobody can check')
  expect(() => requireCheckedCode({ tenant: { accountId, mode: 'test' } })).not.toThrow()
})
