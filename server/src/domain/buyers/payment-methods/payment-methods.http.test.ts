import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { failedVerificationsMax } from './decide-enrollment.ts'
import { testCards } from './test-cards.ts'

let app: TestApp
let methods: string
let profileId: string
beforeAll(async () => {
  app = await startTestApp()
  await newProfile()
})
afterAll(() => app.stop())

async function newProfile(): Promise<void> {
  const { body } = await app.post('/v1/profiles', {
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@example.com',
    country: 'GB',
    addresses: [
      {
        address_type: 'billing',
        line1: '1 St James Square',
        city: 'London',
        postal_code: 'SW1Y 4JH',
        country: 'GB',
      },
    ],
  })
  profileId = body.id
  methods = `/v1/profiles/${profileId}/payment_methods`
}

const ours = () => ({ accountId: app.account.accountId, mode: 'test' as const })

function cardOf(vault_token_id: string, enrolled = true) {
  const enrollment = enrolled
    ? { agentic_credentials_enrollment_requested: true, agentic_terms_acknowledged: true }
    : {}
  return { type: 'card', card: { kind: 'existing', vault_token_id, ...enrollment } }
}

test('every test card of the table can be added and starts as the table says', async () => {
  await newProfile()
  for (const [identifier, card] of Object.entries(testCards)) {
    const { status, body } = await app.post(methods, cardOf(identifier))
    expect(status).toBe(201)
    expect(body.card).toMatchObject({
      card_brand: card.brand,
      card_last4: card.last4,
      card_exp_month: 1,
      card_exp_year: 2030,
    })
    const expected = typeof card.enrollment === 'string' ? card.enrollment : 'pending_verification'
    expect(body.card.agentic_credentials_status).toBe(expected)
    expect(JSON.stringify(body)).not.toContain('pr_vt_')
  }
})

test('enrolment needs the terms acknowledged, and is not started unasked', async () => {
  const refused = await app.post(methods, {
    type: 'card',
    card: {
      kind: 'existing',
      vault_token_id: 'visa_auto_approved',
      agentic_credentials_enrollment_requested: true,
    },
  })
  expect([refused.status, refused.body.detail[0].loc]).toEqual([
    422,
    ['body', 'card', 'agentic_terms_acknowledged'],
  ])
  const plain = await app.post(methods, cardOf('visa_auto_approved', false))
  expect(plain.body.card.agentic_credentials_status).toBe('not_requested')
})

test('a token is one of ours or a listed identifier; anything else is refused and not echoed', async () => {
  const { status, body } = await app.post(methods, cardOf('4242424242424242'))
  expect([status, body.detail[0].loc]).toEqual([422, ['body', 'card', 'vault_token_id']])
  expect(JSON.stringify(body)).not.toContain('4242')
  const unknown = await app.post(methods, cardOf(`pr_vt_test_${'a'.repeat(33)}`))
  expect([unknown.status, unknown.body.detail.param]).toEqual([404, 'card.vault_token_id'])
})

test('live mode takes no identifier of a test card or of a test security code', async () => {
  const key = app.account.keys.secret_live
  const profile = await app.post(
    '/v1/profiles',
    { first_name: 'A', last_name: 'B', email: 'a@example.com', country: 'GB' },
    { key },
  )
  const path = `/v1/profiles/${profile.body.id}/payment_methods`
  for (const identifier of ['visa_auto_approved', 'cvc_3_digit', 'cvc_4_digit']) {
    const { status, body } = await app.post(path, cardOf(identifier), { key })
    expect([status, body.detail.code]).toEqual([400, 'test_card_identifier_not_allowed_in_live_mode'])
  }
})

test('the first method is the default; a later one takes it over; there is never a second default', async () => {
  await newProfile()
  const first = await app.post(methods, cardOf('visa_auto_approved'))
  const second = await app.post(methods, { ...cardOf('mastercard_auto_approved'), is_default: true })
  expect([first.body.is_default, second.body.is_default]).toEqual([true, true])
  expect((await app.get(`${methods}/${first.body.id}`)).body.is_default).toBe(false)
  await app.post(`${methods}/${first.body.id}`, { is_default: true, label: 'Mine' })
  const { body } = await app.get(methods)
  expect(body.data.map((one: { is_default: boolean }) => one.is_default)).toEqual([false, true])
  expect(body).toMatchObject({ total: 2, has_more: false })
})

test('ten first cards at once leave one default', async () => {
  await newProfile()
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => app.post(methods, cardOf('visa_auto_approved'))),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  const { body } = await app.get(methods)
  expect(body.data.filter((one: { is_default: boolean }) => one.is_default)).toHaveLength(1)
})

test('a one-time password, then a passkey, completes an enrolment in that order', async () => {
  const { body } = await app.post(methods, cardOf('visa_otp_passkey'))
  const verify = `${methods}/${body.id}/verify`
  expect(body.next_action).toEqual({ type: 'verify_payment_method', method: 'otp' })
  const early = await app.post(verify, { method: 'passkey', assertion: 'made' })
  expect([early.status, early.body.detail.code]).toEqual([409, 'enrollment_not_pending'])
  const otp = await app.post(verify, { method: 'otp', code: '123456' })
  expect(otp.body.next_action.method).toBe('passkey')
  const passkey = await app.post(verify, { method: 'passkey', assertion: 'made' })
  expect([passkey.body.card.agentic_credentials_status, passkey.body.next_action]).toEqual(['active', null])
})

test('refused passwords are counted although they are refused, and the third one ends the enrolment', async () => {
  const { body } = await app.post(methods, cardOf('visa_otp_invalid'))
  const verify = `${methods}/${body.id}/verify`
  for (let attempt = 1; attempt <= failedVerificationsMax; attempt++) {
    const answer = await app.post(verify, { method: 'otp', code: '123456' })
    expect([answer.status, answer.body.detail.code]).toEqual([409, 'verification_failed'])
  }
  expect((await app.get(`${methods}/${body.id}`)).body.card.agentic_credentials_status).toBe('rejected')
})

test('replaying the key of a refused password answers the refusal again and does not count twice', async () => {
  const { body } = await app.post(methods, cardOf('visa_otp_required'))
  const verify = `${methods}/${body.id}/verify`
  const headers = { 'idempotency-key': `otp-${body.id}` }
  for (let attempt = 0; attempt < 5; attempt++) {
    expect((await app.post(verify, { method: 'otp', code: '000000' }, { headers })).status).toBe(409)
  }
  expect(
    (await app.post(verify, { method: 'otp', code: '123456' })).body.card.agentic_credentials_status,
  ).toBe('active')
})

test('a card of the vault is a method, as the vault describes it; a real one is enrolled by nobody', async () => {
  const token = app.vault.keep(ours(), { brand: 'amex', last4: '1002', expMonth: 7, expYear: 2031 })
  const { status, body } = await app.post(methods, cardOf(token))
  expect([status, body.card]).toEqual([
    201,
    expect.objectContaining({
      card_brand: 'amex',
      card_last4: '1002',
      card_exp_month: 7,
      card_exp_year: 2031,
      agentic_credentials_status: 'ineligible',
    }),
  ])
  expect(JSON.stringify(body)).not.toContain('pr_vt_')
})

test('a typed number of a test card behaves like its identifier, with the expiry that was typed', async () => {
  await newProfile()
  for (const [testCard, { brand, last4 }] of Object.entries(testCards)) {
    const typed = app.vault.keep(ours(), { brand, last4, testCard, expYear: 2033 })
    const [entered, named] = [
      await app.post(methods, cardOf(typed)),
      await app.post(methods, cardOf(testCard)),
    ]
    expect(entered.body.card).toEqual({ ...named.body.card, card_exp_year: 2033 })
    expect(entered.body.next_action).toEqual(named.body.next_action)
  }
})

test('a card of another account or mode is not found', async () => {
  for (const tenant of [
    { ...ours(), mode: 'live' as const },
    { ...ours(), accountId: app.stranger.accountId },
  ]) {
    const { status, body } = await app.post(methods, cardOf(app.vault.keep(tenant)))
    expect([status, body.detail.code]).toEqual([404, 'not_found'])
  }
})

test('while the vault is away its cards cannot be added, and test cards can', async () => {
  const token = app.vault.keep(ours())
  app.vault.away = true
  const refused = await app.post(methods, cardOf(token))
  expect([refused.status, refused.body.detail.code, refused.body.detail.retryable]).toEqual([
    503,
    'unavailable',
    true,
  ])
  expect((await app.post(methods, cardOf('visa_auto_approved'))).status).toBe(201)
  app.vault.away = false
  expect((await app.post(methods, cardOf(token))).status).toBe(201)
})

test('a deleted method is gone and its card shredded, at once or when the vault is back', async () => {
  const tokens = [app.vault.keep(ours()), app.vault.keep(ours())]
  for (const token of tokens) {
    const { body } = await app.post(methods, cardOf(token))
    app.vault.away = token === tokens[1]
    const deleted = await app.request('DELETE', `${methods}/${body.id}`)
    app.vault.away = false
    expect([deleted.status, deleted.body.deleted_at !== null]).toEqual([200, true])
    expect((await app.get(`${methods}/${body.id}`)).status).toBe(404)
    expect((await app.request('DELETE', `${methods}/${body.id}`)).status).toBe(404)
  }
  expect(tokens.map((token) => app.vault.has(token))).toEqual([false, true])
})

test('the methods of another tenant, or of another profile, are not found', async () => {
  const { body } = await app.post(methods, cardOf('visa_auto_approved'))
  const owner = methods
  await newProfile()
  for (const [path, key] of [
    [`${owner}/${body.id}`, app.stranger.keys.secret_test],
    [`${owner}/${body.id}`, app.account.keys.secret_live],
    [`${methods}/${body.id}`, app.account.keys.secret_test],
  ] as const) {
    expect((await app.get(path, { key })).status).toBe(404)
    expect((await app.post(path, { label: 'x' }, { key })).status).toBe(404)
    expect((await app.request('DELETE', path, { key })).status).toBe(404)
    expect((await app.post(`${path}/verify`, { method: 'otp', code: '123456' }, { key })).status).toBe(404)
  }
  expect(
    (await app.post(owner, cardOf('visa_auto_approved'), { key: app.stranger.keys.secret_test })).status,
  ).toBe(404)
})

test('an agent key reads methods and can neither add nor verify one', async () => {
  const key = app.account.keys.agent_test
  expect((await app.get(methods, { key })).status).toBe(200)
  const refused = await app.post(methods, cardOf('visa_auto_approved'), { key })
  expect([refused.status, refused.body.detail.code]).toEqual([403, 'insufficient_scope'])
  const { body } = await app.post(methods, cardOf('visa_otp_required'))
  const verified = await app.post(`${methods}/${body.id}/verify`, { method: 'otp', code: '123456' }, { key })
  expect([verified.status, verified.body.detail.code]).toEqual([403, 'insufficient_scope'])
})
