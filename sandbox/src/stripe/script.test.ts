import { afterAll, beforeAll, expect, test } from 'vitest'
import { controlToken, temporaryFolder } from '../../test/run-sandbox.ts'
import { startStripe } from './stripe-server.ts'

const state = temporaryFolder()
let url: string
let close: () => Promise<void>

beforeAll(async () => {
  ;({ url, close } = await startStripe({ stateDir: state.path, port: 0, controlToken }))
})
afterAll(async () => {
  await close()
  state.remove()
})

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
type Said = { status: number; body: any }

async function ask(path: string, fields?: Record<string, string>, key = 'pk_live_sandbox'): Promise<Said> {
  const answer = await fetch(`${url}/v1${path}`, {
    method: fields ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}` },
    ...(fields ? { body: new URLSearchParams(fields) } : {}),
  })
  return { status: answer.status, body: await answer.json() }
}

async function newSetup(): Promise<{ path: string; client_secret: string }> {
  const { body } = await ask('/setup_intents', { usage: 'off_session' }, 'sk_live_sandbox')
  return { path: `/setup_intents/${body.id}`, client_secret: body.client_secret }
}

function entered(number: string) {
  const card = { number, exp_month: '01', exp_year: '40', cvc: '123' }
  const fields = Object.entries(card).map(([name, value]) => [`payment_method_data[card][${name}]`, value])
  return { 'payment_method_data[type]': 'card', ...Object.fromEntries(fields) }
}

test('the key of pages confirms and reads a setup whose secret it has, and does nothing else', async () => {
  const { path, client_secret } = await newSetup()
  const card = entered('4242424242424242')
  expect((await ask(`${path}/confirm`, card)).body.error.code).toBe('parameter_missing')
  const other = await newSetup()
  const wrong = { ...card, client_secret: other.client_secret }
  expect((await ask(`${path}/confirm`, wrong)).status).toBe(404)
  expect((await ask(path)).status).toBe(400)
  expect((await ask(`${path}/confirm`, { ...card, client_secret })).body.status).toBe('succeeded')
  expect((await ask(`${path}?client_secret=${client_secret}`)).body.status).toBe('succeeded')
  for (const [forbidden, fields] of [
    ['/setup_intents', { usage: 'off_session' }],
    [`${path}/cancel`, {}],
    ['/customers', { name: 'Ada' }],
    ['/payment_intents', { amount: '700', currency: 'usd' }],
    ['/payment_methods', { type: 'card', 'card[token]': 'tok_visa' }],
  ] as const) {
    const { status, body } = await ask(forbidden, fields)
    expect([forbidden, status, body.error.code]).toEqual([forbidden, 401, 'secret_key_required'])
  }
})

test('a number is that of a test card, and any other one is refused', async () => {
  const { path, client_secret } = await newSetup()
  const refused = await ask(`${path}/confirm`, { ...entered('4000056655665557'), client_secret })
  expect([refused.status, refused.body.error.code]).toEqual([402, 'incorrect_number'])
  const declined = await ask(`${path}/confirm`, { ...entered('4000000000000002'), client_secret })
  expect([declined.status, declined.body.error.code]).toEqual([402, 'card_declined'])
  const kept = await ask(`${path}/confirm`, { ...entered('5555555555554444'), client_secret })
  const method = await ask(`/payment_methods/${kept.body.payment_method}`, undefined, 'sk_live_sandbox')
  expect(method.body.card).toMatchObject({ brand: 'mastercard', last4: '4444' })
})

test.each([
  ['complete', { status: 'succeeded', last_setup_error: null }],
  [
    'fail',
    {
      status: 'requires_payment_method',
      last_setup_error: { code: 'setup_intent_authentication_failure' },
    },
  ],
])('what the bank asks is shown by the script where the page wants it to be: %s', async (answer, then) => {
  const { path, client_secret } = await newSetup()
  const fields = { ...entered('4000002760003184'), client_secret, return_url: 'https://shop.example/back' }
  const { body } = await ask(`${path}/confirm`, { ...fields, use_stripe_sdk: 'true' })
  expect([body.status, body.next_action.type]).toEqual(['requires_action', 'use_stripe_sdk'])
  await fetch(`${body.next_action.use_stripe_sdk.stripe_js}/${answer}`, { method: 'POST' })
  expect((await ask(`${path}?client_secret=${client_secret}`)).body).toMatchObject(then)
})
