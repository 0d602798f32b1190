import { afterAll, beforeAll, expect, test } from 'vitest'
import { control, controlToken, temporaryFolder } from '../../test/run-sandbox.ts'
import { startStripe } from './stripe-server.ts'

const state = temporaryFolder()
let url: string
let close: () => Promise<void>

async function start(): Promise<void> {
  const server = await startStripe({ stateDir: state.path, port: 0, controlToken })
  url = server.url
  close = server.close
}
beforeAll(start)
afterAll(async () => {
  await close()
  state.remove()
})

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
type Said = { status: number; body: any; isReplayed: boolean }

async function ask(
  path: string,
  fields?: Record<string, string>,
  key?: string,
  secret = 'sk_test_sandbox',
): Promise<Said> {
  const answer = await fetch(`${url}/v1${path}`, {
    method: fields ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${secret}`, ...(key ? { 'idempotency-key': key } : {}) },
    ...(fields ? { body: new URLSearchParams(fields) } : {}),
  })
  return {
    status: answer.status,
    body: await answer.json(),
    isReplayed: answer.headers.get('idempotent-replayed') === 'true',
  }
}

const terms = { amount: '700', currency: 'usd', capture_method: 'manual', 'metadata[order]': 'o-1' }
const soon = () => String(Math.floor(Date.now() / 1000) + 600)

async function grant(more: Record<string, string> = {}): Promise<string> {
  const made = await ask('/test_helpers/shared_payment/granted_tokens', {
    payment_method: 'pm_card_visa',
    'usage_limits[currency]': 'usd',
    'usage_limits[max_amount]': '700',
    'usage_limits[expires_at]': soon(),
    ...more,
  })
  expect(made.status).toBe(200)
  return made.body.id
}
const byToken = (token: string) => ({ 'payment_method_data[shared_payment_granted_token]': token })

async function held(): Promise<string> {
  const { body } = await ask('/payment_intents', terms)
  expect((await ask(`/payment_intents/${body.id}/confirm`, byToken(await grant()))).body.status).toBe(
    'requires_capture',
  )
  return body.id
}

test('an intent holds nothing before it is confirmed, and a token pays once', async () => {
  const token = await grant()
  const made = await ask('/payment_intents', terms)
  expect(made.body).toMatchObject({
    object: 'payment_intent',
    status: 'requires_payment_method',
    amount_received: 0,
  })
  const confirmed = await ask(`/payment_intents/${made.body.id}/confirm`, byToken(token))
  expect(confirmed.body.status).toBe('requires_capture')
  const again = await ask(`/payment_intents/${made.body.id}/confirm`, byToken(token))
  expect([again.status, again.body.error.code]).toEqual([400, 'payment_intent_unexpected_state'])
  const other = await ask('/payment_intents', terms)
  expect((await ask(`/payment_intents/${other.body.id}/confirm`, byToken(token))).status).toBe(400)
  expect((await ask(`/shared_payment/granted_tokens/${token}`)).body.deactivated_reason).toBe('consumed')
})

test('it captures at once unless it is told otherwise, and confirms in the request that makes an intent', async () => {
  const now = { amount: '700', currency: 'usd', confirm: 'true' }
  const token = await grant()
  const paid = await ask('/payment_intents', { ...now, shared_payment_granted_token: token })
  expect(paid).toMatchObject({
    status: 200,
    body: { status: 'succeeded', amount_received: 700, capture_method: 'automatic' },
  })
  const again = await ask('/payment_intents', { ...now, ...byToken(token) })
  expect(again.status).toBe(400)
  const acting = await grant({ payment_method: 'pm_card_authenticationRequired' })
  const asked = await ask('/payment_intents', { ...now, ...byToken(acting) })
  expect(asked.body).toMatchObject({ status: 'requires_action', amount_received: 0 })
  const declined = await grant({ payment_method: 'pm_card_visa_chargeDeclined' })
  const said = await ask('/payment_intents', { ...now, ...byToken(declined) })
  expect(said).toMatchObject({ status: 402, body: { error: { decline_code: 'generic_decline' } } })
  const basic = Buffer.from('sk_test_sandbox:').toString('base64')
  const read = await fetch(`${url}/v1/payment_intents/${paid.body.id}`, {
    headers: { authorization: `Basic ${basic}` },
  })
  expect(await read.json()).toMatchObject({ id: paid.body.id, status: 'succeeded' })
})

test.each([
  ['capture_method', 'later'],
  ['confirm', 'maybe'],
])('%s must be what Stripe knows', async (name, value) => {
  const { status, body } = await ask('/payment_intents', { ...terms, [name]: value })
  expect([status, body.error.param]).toEqual([400, name])
})

test('a key repeats what was done, and refuses other parameters', async () => {
  const first = await ask('/payment_intents', terms, 'k1')
  const again = await ask('/payment_intents', terms, 'k1')
  expect([first.isReplayed, again.isReplayed, again.body.id]).toEqual([false, true, first.body.id])
  const other = await ask('/payment_intents', { ...terms, amount: '701' }, 'k1')
  expect([other.status, other.body.error.type]).toEqual([400, 'idempotency_error'])
  // A request that was wrong leaves the key free.
  expect((await ask('/payment_intents', { ...terms, amount: '1' }, 'k2')).body.error.code).toBe(
    'amount_too_small',
  )
  expect((await ask('/payment_intents', terms, 'k2')).status).toBe(200)
})

test('a failure is repeated to its key until the key is forgotten', async () => {
  await control(`${url}/control/faults`, { operation: 'create', fault: 'fail' })
  for (const isReplayed of [false, true])
    expect(await ask('/payment_intents', terms, 'k3')).toMatchObject({ status: 500, isReplayed })
  await control(`${url}/control/keys/forget`, {})
  expect((await ask('/payment_intents', terms, 'k3')).status).toBe(200)
})

test('a decline is a card error with its intent, and is repeated', async () => {
  const token = await grant({ payment_method: 'pm_card_visa_chargeDeclinedInsufficientFunds' })
  const { body } = await ask('/payment_intents', terms)
  for (const isReplayed of [false, true]) {
    const said = await ask(`/payment_intents/${body.id}/confirm`, byToken(token), 'k4')
    expect(said).toMatchObject({ status: 402, isReplayed })
    expect(said.body.error).toMatchObject({
      type: 'card_error',
      decline_code: 'insufficient_funds',
      payment_intent: { status: 'requires_payment_method' },
    })
  }
})

test.each([
  ['the amount', { 'usage_limits[max_amount]': '699' }],
  ['the currency', { 'usage_limits[currency]': 'eur' }],
  ['the time', { 'usage_limits[expires_at]': '1700000000' }],
])('a token limits %s', async (_, more) => {
  const { body } = await ask('/payment_intents', terms)
  const said = await ask(`/payment_intents/${body.id}/confirm`, byToken(await grant(more)))
  expect([said.status, said.body.error.type]).toEqual([400, 'invalid_request_error'])
  expect((await ask(`/payment_intents/${body.id}`)).body.status).toBe('requires_payment_method')
})

test('the search is late, and the rest is not', async () => {
  const find = async (order: string) =>
    (await ask(`/payment_intents/search?query=${encodeURIComponent(`metadata['order']:'${order}'`)}`)).body
      .data.length
  await control(`${url}/control/search`, { delay_ms: 3_600_000 })
  const made = await ask('/payment_intents', { ...terms, 'metadata[order]': 'late' })
  expect(await find('late')).toBe(0)
  expect((await ask(`/payment_intents/${made.body.id}`)).status).toBe(200)
  await control(`${url}/control/search`, { delay_ms: 0 })
  expect(await find('late')).toBe(1)
})

test('what is captured is refunded up to what was captured', async () => {
  const id = await held()
  expect((await ask(`/payment_intents/${id}/capture`, { amount_to_capture: '701' })).body.error.code).toBe(
    'amount_too_large',
  )
  expect((await ask(`/payment_intents/${id}/capture`, { amount_to_capture: '600' })).body).toMatchObject({
    status: 'succeeded',
    amount_received: 600,
  })
  expect((await ask(`/payment_intents/${id}/cancel`, {})).body.error.code).toBe(
    'payment_intent_unexpected_state',
  )
  expect((await ask('/refunds', { payment_intent: id, amount: '601' })).status).toBe(400)
  expect((await ask('/refunds', { payment_intent: id, amount: '600' })).body.status).toBe('succeeded')
  expect((await ask('/refunds', { payment_intent: id, amount: '1' })).body.error.code).toBe(
    'charge_already_refunded',
  )
  const read = await ask(`/payment_intents/${id}?expand[]=latest_charge`)
  expect(read.body.latest_charge.amount_refunded).toBe(600)
})

test('it knows one seller, and remembers everything over a restart but what it was told to do wrong', async () => {
  expect((await ask('/payment_intents', terms, undefined, 'sk_test_other')).status).toBe(401)
  const id = await held()
  const keyed = await ask('/payment_intents', terms, 'k5')
  await control(`${url}/control/faults`, { operation: 'read', fault: 'status=429' })
  await close()
  await start()
  expect((await ask(`/payment_intents/${id}`)).body.status).toBe('requires_capture')
  expect((await ask('/payment_intents', terms, 'k5')).body.id).toBe(keyed.body.id)
  const log = (await (await fetch(`${url}/log`)).json()) as { payment_intent: string; operation: string }[]
  expect(log.filter((one) => one.payment_intent === id).map(({ operation }) => operation)).toEqual([
    'confirm',
  ])
  expect(JSON.stringify(log)).not.toContain('spt_')
})

// Last: the clock stays forward.
test('a key is forgotten after a day', async () => {
  const first = await ask('/payment_intents', terms, 'k5')
  await control(`${url}/control/clock`, { forward_seconds: 86_340 })
  expect((await ask('/payment_intents', terms, 'k5')).body.id).toBe(first.body.id)
  await control(`${url}/control/clock`, { forward_seconds: 60 })
  const later = await ask('/payment_intents', terms, 'k5')
  expect([later.status, later.isReplayed, later.body.id === first.body.id]).toEqual([200, false, false])
})
