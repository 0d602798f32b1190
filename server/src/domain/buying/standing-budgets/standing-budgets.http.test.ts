import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { createPurchase, newBuyer } from '../../../../test/harness/buyers.ts'
import {
  type Component,
  type ComponentPage,
  elementsOfTests,
  openComponentPage,
} from '../../../../test/harness/component-page.ts'
import { everyOperation } from '../../../composition.ts'

let app: TestApp
let page: ComponentPage
beforeAll(async () => {
  app = await startTestApp({ elements: elementsOfTests })
  page = await openComponentPage(app)
})
afterAll(() => app.stop())

const budget = { amount: 5000, currency: 'eur', interval: 'month' } as const
const told = ({ status, body }: Answer) => (status < 300 ? status : [status, body.detail.code])

/** A component for a profile, opened by the server of its page unless `isOpen`. */
async function open(profileId: string, { isOpen = false } = {}): Promise<Component> {
  const asked = { profile_id: profileId, components: ['AddPaymentMethod'] }
  const { body } = await app.post('/v1/elements/client_secrets', asked)
  const more = isOpen ? {} : { client_secret: body.client_secret }
  return page.open('AddPaymentMethod', { profile_id: profileId }, more)
}

async function addCard(component: Component, testCard: string, isEnrolled = true): Promise<string> {
  const vault_token_id = app.vault.keep({ accountId: app.account.accountId, mode: 'test' }, { testCard })
  const { status, body } = await component.post('/payment_methods', {
    type: 'card',
    card: {
      kind: 'existing',
      vault_token_id,
      agentic_credentials_enrollment_requested: isEnrolled,
      agentic_terms_acknowledged: isEnrolled,
    },
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id
}

const codeOf = (profileId: string, code = '111') =>
  app.vault.type({ accountId: app.account.accountId, mode: 'test' }, profileId, code)

const approve = (
  component: Component,
  card: string,
  more: object = {},
  headers: Record<string, string> = {},
) => component.post(`/payment_methods/${card}/standing_budgets`, { budget, ...more }, headers)

async function stage(testCard = 'visa_auto_approved', how: { isOpen?: boolean } = {}) {
  const buyer = await newBuyer(app, { card: null })
  const component = await open(buyer.profileId, how)
  const card = await addCard(component, testCard)
  return { buyer, component, card }
}

async function prove(component: Component, card: string, code = '123456'): Promise<Answer> {
  const begun = await component.post(`/payment_methods/${card}/payment_verifications`)
  return component.post(`/payment_verifications/${begun.body.id}/code`, { code })
}

test('who adds a card with its code lets agents spend a budget with it, and with nothing else', async () => {
  const { buyer, component, card } = await stage()
  const expires_at = new Date(Date.now() + 86_400_000).toISOString()
  const made = await approve(component, card, {
    budget: { ...budget, expires_at },
    temporary_cvc_token_id: codeOf(buyer.profileId),
  })
  expect([made.status, made.body]).toMatchObject([
    201,
    {
      object: 'policy',
      name: 'Standing budget: up to €50.00 a month with visa 4242',
      currency: 'EUR',
      scope: { profile_ids: [], api_key_ids: [], payment_method_ids: [card], default: false },
      limits: {
        per_transaction_max: null,
        intervals: [{ interval: 'month', max_amount: 5000, max_count: null }],
      },
      approval: { mode: 'never' },
      valid_from: null,
      valid_until: expires_at,
      approved_by: 'cardholder',
      version: 1,
    },
  ])
  const { id } = made.body
  expect((await app.get(`/v1/policies/${id}`)).body).toMatchObject({ approved_by: 'cardholder', usage: [{}] })
  const events = await app.sql('select type, actor_type, actor_id from events where aggregate_id = $1', [id])
  expect(events).toEqual([{ type: 'policy.created', actor_type: 'cardholder', actor_id: buyer.profileId }])
  const [shown] = await app.sql('select * from standing_budgets where policy_id = $1', [id])
  expect(shown).toMatchObject({
    profile_id: buyer.profileId,
    payment_method_id: card,
    key_id: page.keyId,
    page: page.origin,
    proven_by: 'security_code',
    currency: 'EUR',
    interval: 'month',
    ends_at: new Date(expires_at),
  })
  const other = await newBuyer(app)
  const paidBy = { profile_payment_method_id: card }
  expect((await createPurchase(app, other)).body.status).toBe('awaiting_approval')
  expect((await createPurchase(app, buyer)).body.status).toBe('awaiting_approval')
  expect((await createPurchase(app, buyer, paidBy)).body.status).toBe('queued')
  // What is left of the window is less than it costs.
  await app.post('/v1/policies', {
    name: 'None',
    scope: { payment_method_ids: [card] },
    approval: { mode: 'always' },
  })
  expect((await createPurchase(app, buyer, paidBy)).body.status).toBe('awaiting_approval')
})

test('a card whose enrollment has steps is proven by them, and needs no code', async () => {
  const { component, card } = await stage('visa_otp_required')
  expect(told(await approve(component, card))).toEqual([409, 'card_not_proven'])
  expect((await prove(component, card)).status).toBe(200)
  const made = await approve(component, card)
  expect(told(made)).toBe(201)
  const [shown] = await app.sql('select proven_by from standing_budgets where policy_id = $1', [made.body.id])
  expect(shown).toEqual({ proven_by: 'enrollment' })
})

test('what a window has proven counts for the component that opened it', async () => {
  const { component, card } = await stage('mastercard_popup')
  const begun = await component.post(`/payment_methods/${card}/payment_verifications`)
  const window = new URL(begun.body.window_url).hash.slice(1)
  await app.request('POST', '/elements/v1/ceremonies/open', { key: null, body: { window } })
  app.bank.says('confirmed')
  const body = { window, is_confirmed: true }
  expect(told(await app.request('POST', '/elements/v1/ceremonies/finish', { key: null, body }))).toBe(200)
  expect(told(await approve(component, card))).toBe(201)
})

test('a page that its server did not open lets agents spend nothing', async () => {
  const { buyer, component, card } = await stage('visa_auto_approved', { isOpen: true })
  const code = { temporary_cvc_token_id: codeOf(buyer.profileId) }
  expect(told(await approve(component, card, code))).toEqual([403, 'client_secret_required'])
  // Another component that its server has opened did not see the card.
  const known = await open(buyer.profileId)
  expect(told(await approve(known, card, code))).toEqual([409, 'card_not_proven'])
})

test('a card that was proven elsewhere, or is not one for agents, has no budget', async () => {
  const byServer = await stage('visa_otp_required')
  const path = `/v1/profiles/${byServer.buyer.profileId}/payment_methods/${byServer.card}/verify`
  expect((await app.post(path, { method: 'otp', code: '123456' })).status).toBe(200)
  const code = { temporary_cvc_token_id: codeOf(byServer.buyer.profileId) }
  expect(told(await approve(byServer.component, byServer.card, code))).toEqual([409, 'card_not_proven'])

  const elsewhere = await stage('visa_otp_required')
  const second = await open(elsewhere.buyer.profileId)
  expect((await prove(second, elsewhere.card)).status).toBe(200)
  for (const component of [elsewhere.component, second])
    expect(told(await approve(component, elsewhere.card))).toEqual([409, 'card_not_proven'])

  const { buyer, component } = await stage()
  const plain = await addCard(component, 'visa_auto_approved', false)
  const typed = { temporary_cvc_token_id: codeOf(buyer.profileId) }
  expect(told(await approve(component, plain, typed))).toEqual([409, 'card_not_proven'])
})

test.each([
  ['no code', () => ({})],
  ['four digits', (profile: string) => ({ temporary_cvc_token_id: codeOf(profile, '1111') })],
  ['a code of no test card', (profile: string) => ({ temporary_cvc_token_id: codeOf(profile, '222') })],
  ['the code of another person', () => ({ temporary_cvc_token_id: codeOf('prof_other') })],
  ['something else', () => ({ temporary_cvc_token_id: 'anything' })],
])('with %s a card without steps is not proven', async (_, more) => {
  const { buyer, component, card } = await stage()
  expect(told(await approve(component, card, more(buyer.profileId)))).toEqual([409, 'card_not_proven'])
})

test('a code is for one card; a second budget beside the first replaces nothing', async () => {
  const { buyer, component, card } = await stage()
  const code = { temporary_cvc_token_id: codeOf(buyer.profileId) }
  expect(told(await approve(component, card, code))).toBe(201)
  const other = await addCard(component, 'visa_auto_approved')
  expect(told(await approve(component, other, code))).toEqual([409, 'card_not_proven'])
  const smaller = { budget: { ...budget, amount: 1000, interval: 'day' }, ...code }
  expect(told(await approve(component, card, smaller))).toBe(201)
  const made = await createPurchase(app, buyer, { profile_payment_method_id: card })
  expect(made.body.status).toBe('declined')
})

test('one idempotency key is one budget, whatever becomes of the answer', async () => {
  const { buyer, component, card } = await stage()
  const more = { temporary_cvc_token_id: codeOf(buyer.profileId) }
  const headers = { 'idempotency-key': `budget-${card}` }
  const all = await Promise.all(Array.from({ length: 6 }, () => approve(component, card, more, headers)))
  const later = await approve(component, card, more, headers)
  expect(new Set([...all, later].map(({ status }) => status))).toEqual(new Set([201]))
  expect(new Set([...all, later].map(({ body }) => body.id)).size).toBe(1)
  const differing = await approve(component, card, { ...more, budget: { ...budget, amount: 1 } }, headers)
  expect(told(differing)).toEqual([409, 'idempotency_key_conflict'])
})

test('a budget that is over, or none, is refused by its field', async () => {
  const { buyer, component, card } = await stage()
  const code = { temporary_cvc_token_id: codeOf(buyer.profileId) }
  for (const [wrong, field] of [
    [{ expires_at: new Date(Date.now() - 1000).toISOString() }, 'expires_at'],
    [{ amount: 0 }, 'amount'],
    [{ interval: 'hour' }, 'interval'],
    [{ currency: 'XXX1' }, 'currency'],
  ] as const) {
    const { status, body } = await approve(component, card, { ...code, budget: { ...budget, ...wrong } })
    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'budget', field]])
  }
})

test('cards of others never existed, and nobody without a component gets there', async () => {
  const { buyer, component, card } = await stage()
  const stranger = await newBuyer(app, { key: app.stranger.keys.secret_test })
  const neighbour = await stage()
  for (const id of [stranger.paymentMethodId, neighbour.card, 'pm_unknown'])
    expect(told(await approve(component, String(id)))).toEqual([404, 'not_found'])
  const path = `/v1/profiles/${buyer.profileId}/payment_methods/${card}/standing_budgets`
  expect((await app.post(path, { budget })).status).toBe(404)
  const { surfaces } = everyOperation.find(({ id }) => id === 'elements_create_standing_budget') ?? {}
  expect(surfaces).toEqual(['elements'])
})

test('while the vault is away a code is asked for again later', async () => {
  const { buyer, component, card } = await stage()
  const code = { temporary_cvc_token_id: codeOf(buyer.profileId) }
  app.vault.away = true
  expect(told(await approve(component, card, code))).toEqual([503, 'unavailable'])
  app.vault.away = false
  expect(told(await approve(component, card, code))).toBe(201)
})

test('test mode takes the identifier of a test code, and live mode does not', async () => {
  const code = { temporary_cvc_token_id: 'cvc_3_digit' }
  const { component, card } = await stage()
  expect(told(await approve(component, card, code))).toBe(201)
  const key = app.account.keys.secret_live
  const person = { first_name: 'Ada', last_name: 'L', email: 'ada@example.com', country: 'DE' }
  const { body: profile } = await app.post('/v1/profiles', person, { key })
  const asked = { profile_id: profile.id, components: ['AddPaymentMethod'] }
  const { client_secret } = (await app.post('/v1/elements/client_secrets', asked, { key })).body
  const inLive = await openComponentPage(app, { mode: 'live' })
  const live = await inLive.open('AddPaymentMethod', { profile_id: profile.id }, { client_secret })
  const refused = await approve(live, card, code)
  expect(told(refused)).toEqual([400, 'test_card_identifier_not_allowed_in_live_mode'])
})
