import { expect, test } from 'vitest'
import type { Card } from '../card/check-card.ts'
import { createCardCalls } from './add-card.ts'
import { createFrameCalls } from './open-session.ts'

const card: Card = {
  number: '4242424242424242',
  exp_month: 1,
  exp_year: 2030,
  cardholder_name: null,
  cvc: '111',
}

type Sent = { url: string; body: string; key: string | undefined; session: string | undefined }

/** Calls against answers that are taken in turn; one without a status is lost on its way. */
function calling(...answers: { status?: number; body?: unknown; headers?: Record<string, string> }[]) {
  const sent: Sent[] = []
  const fetch = async (url: unknown, init?: RequestInit) => {
    const headers = new Headers(init?.headers)
    const key = headers.get('idempotency-key') ?? undefined
    sent.push({
      url: String(url),
      body: String(init?.body),
      key,
      session: headers.get('authorization') ?? undefined,
    })
    const { status, body, headers: more } = answers.shift() ?? {}
    if (status === undefined) throw new TypeError('Failed to fetch')
    return new Response(JSON.stringify(body), { status, headers: more ?? {} })
  }
  const request = {
    publishable_key: 'pr_pk_test_1',
    bootstrap: 'b1',
    component: 'AddPaymentMethod',
    profile_id: 'prof_1',
  }
  const session = createFrameCalls(fetch as typeof globalThis.fetch, request)
  return { sent, session, calls: createCardCalls(session) }
}

const session = { status: 201, body: { session: 'pr_es_test_1', vault_url: 'https://vault.test' } }
const stored = {
  status: 201,
  body: { vault_token_id: 'pr_vt_test_1', temporary_cvc_token_id: 'pr_cvc_test_1' },
}
const made = {
  status: 201,
  body: { id: 'pm_1', card: { card_brand: 'visa', card_last4: '4242' }, next_action: null },
}
const over = { status: 410, body: { detail: { code: 'session_expired', message: 'Over.' } } }

test('the number goes to the vault alone, and its token to the server, with one key', async () => {
  const { sent, calls } = calling(session, stored, made)
  expect(await calls.add(card, true)).toMatchObject({
    kind: 'done',
    value: { method: { id: 'pm_1', waitsFor: null }, codeToken: 'pr_cvc_test_1' },
  })
  expect(sent.map(({ url }) => url)).toEqual([
    '/elements/v1/sessions',
    'https://vault.test/cards',
    '/elements/v1/payment_methods',
  ])
  expect(sent.filter(({ body }) => body.includes(card.number)).map(({ url }) => url)).toEqual([
    'https://vault.test/cards',
  ])
  expect(JSON.parse(sent[2]?.body ?? '')).toEqual({
    type: 'card',
    card: {
      kind: 'existing',
      vault_token_id: 'pr_vt_test_1',
      agentic_credentials_enrollment_requested: true,
      agentic_terms_acknowledged: true,
    },
  })
  expect(sent[2]?.key).toMatch(/^[0-9a-f]{32}$/)
  expect(sent[2]?.session).toBe('Bearer pr_es_test_1')
})

test('an answer that was lost is asked for again with the same key; another card has another', async () => {
  const { sent, calls } = calling(session, stored, {}, made, stored, made)
  expect(await calls.add(card, false)).toEqual({ kind: 'no_answer' })
  expect(await calls.add(card, false)).toMatchObject({ kind: 'done' })
  await calls.add({ ...card, cvc: '222' }, false)
  const [first, again, other] = sent.filter(({ url }) => url.endsWith('/payment_methods'))
  expect(again).toEqual(first)
  expect(other?.key).not.toBe(first?.key)
})

test('a refusal ends a submission: the next one is another', async () => {
  const { sent, calls } = calling(
    session,
    stored,
    { status: 422, body: { detail: [{ loc: ['body', 'card'], msg: 'Wrong.' }] } },
    stored,
    made,
  )
  expect(await calls.add(card, false)).toMatchObject({
    code: 'invalid_request',
    message: 'body.card: Wrong.',
  })
  await calls.add(card, false)
  const keys = sent.flatMap(({ key }) => key ?? [])
  expect(new Set(keys).size).toBe(2)
})

test('a session that is over is opened again once, then with another bootstrap', async () => {
  const {
    sent,
    calls,
    session: opened,
  } = calling(session, over, session, stored, over, { ...over, status: 410 }, session, made)
  expect(await calls.add(card, false)).toMatchObject({ kind: 'refused', code: 'session_expired' })
  opened.renew('b2')
  expect(await calls.add(card, false)).toMatchObject({ kind: 'refused' })
  expect(
    sent.filter(({ url }) => url.endsWith('/sessions')).map(({ body }) => JSON.parse(body).bootstrap),
  ).toEqual(['b1', 'b1', 'b2'])
  expect(await calls.add(card, false)).toMatchObject({ kind: 'done' })
})

test('an address goes before the card, and the card names it; what is refused of it is told by its field', async () => {
  const fault = { status: 422, body: { detail: [{ loc: ['body', 'postal_code'], msg: 'Send it.' }] } }
  const placed = { status: 201, body: { id: 'addr_1' } }
  const { sent, calls } = calling(session, fault, placed, stored, made)
  const ring = { line1: 'Ring 1', city: 'Wien', country: 'AT' }
  const named = { ...card, cardholder_name: 'Ada Lovelace' }
  expect(await calls.add(named, false, ring)).toMatchObject({ param: 'postal_code' })
  expect(sent.map(({ url }) => url)).toEqual(['/elements/v1/sessions', '/elements/v1/billing_addresses'])
  const whole = { ...ring, postal_code: '1010' }
  expect(await calls.add(named, false, whole)).toMatchObject({ kind: 'done' })
  const [, , address, , method] = sent.map(({ body }) => JSON.parse(body))
  expect(address).toEqual({ ...whole, recipient_name: 'Ada Lovelace' })
  expect(method.billing_address).toEqual({ id: 'addr_1' })
})

test('when to try again is what the server says', async () => {
  const { calls } = calling(session, {
    status: 429,
    body: { detail: { code: 'rate_limited', message: 'Wait.' } },
    headers: { 'retry-after': '90' },
  })
  expect(await calls.add(card, false)).toEqual({
    kind: 'refused',
    code: 'rate_limited',
    message: 'Wait.',
    param: null,
    retryAfterS: 90,
  })
})

test('a proof is sent for its card', async () => {
  const { sent, calls } = calling(session, made)
  await calls.verify('pm_1', '123456')
  expect(sent[1]).toMatchObject({
    url: '/elements/v1/payment_methods/pm_1/verify',
    body: JSON.stringify({ method: 'otp', code: '123456' }),
  })
})
