import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEgress } from '../../../src/platform/egress/egress.ts'
import { Secret } from '../../../src/platform/secrets/secret.ts'
import { createStripeRail } from '../../../src/rails/stripe/stripe.ts'
import { isSignedBy } from '../../../src/rails/stripe/webhook-signature.ts'
import { startPlainWords } from './plain-words.ts'

const key = 'sk_test_12345'
const call = { mode: 'test', timeoutMs: 10_000 } as const
const amount = 1_000n

/** A step of the plain path: what our rail said of it, and what the server itself remembers, as far as it is not what it has to be. */
type PlainStep = { step: string; wrong: string[] }

/** The plain path of a card at a server of others that speaks as Stripe: each step by our rail, judged by that server's own memory. */
export async function payPlainly(there: string): Promise<PlainStep[]> {
  const words = await startPlainWords(there)
  const egress = createEgress({ allowLoopback: () => false, trustedOrigins: [words.url] })
  const rail = createStripeRail({
    url: words.url,
    secretKey: new Secret(key),
    egress,
    publicUrl: null,
    cardholder: null,
    vault: null,
  })
  const steps: PlainStep[] = []
  const judge = (
    step: string,
    told: object,
    remembered: Record<string, unknown>,
    expected: [object, object],
  ) =>
    void steps.push({ step, wrong: [...differing(told, expected[0]), ...differing(remembered, expected[1])] })
  const intentOf = (id: string) => ask(there, `/v1/payment_intents/${id}?expand[]=latest_charge`)
  const authorize = async (number: string) => {
    const saved = await keep(there, number)
    const card = { testCard: null, vaultToken: 'none', saved }
    const terms = { amount, currency: 'USD', merchant: 'shop.example', reference: 'plain' }
    const own = randomUUID()
    const said = await rail.authorize({ key: own, card, ...terms }, call)
    const { data } = await ask(there, '/v1/payment_intents?limit=100')
    const made = data.find((one: { metadata: Record<string, string> }) => one.metadata.prokura_key === own)
    return { said, intent: await intentOf(made?.id) }
  }
  const done = (status: string, more = {}) => ({ kind: 'done', value: { status, ...more } })
  try {
    const held = await authorize('4242424242424242')
    judge('authorize', held.said, held.intent, [
      done('authorized', { amount }),
      { status: 'requires_capture', amount: 1_000, latest_charge: { captured: false } },
    ])
    const of = { reference: String(held.intent.id), currency: 'USD' }
    const captured = await rail.capture({ ...of, key: randomUUID(), amount: 600n }, call)
    judge('capture a part', captured, await intentOf(of.reference), [
      done('captured', { capturedAmount: 600n }),
      { status: 'succeeded', latest_charge: { captured: true, amount_refunded: 400 } },
    ])
    const refund = { ...of, key: randomUUID(), amount: 200n }
    judge('refund a part', await rail.refund(refund, call), await intentOf(of.reference), [
      done('refunded', { amount: 200n }),
      { latest_charge: { amount_refunded: 600 } },
    ])
    judge('ask about a refund', await rail.ask(refund.key, call, { step: 'refund', input: refund }), {}, [
      done('refunded', { amount: 200n }),
      {},
    ])
    const other = await authorize('4242424242424242')
    const reference = String(other.intent.id)
    judge('cancel', await rail.void({ key: randomUUID(), reference }, call), await intentOf(reference), [
      done('voided'),
      { status: 'canceled' },
    ])
    const declined = await authorize('4000000000000341')
    judge('decline', declined.said, declined.intent, [
      { kind: 'refused', refusal: { code: 'declined', declineCode: 'card_declined' } },
      { latest_charge: { status: 'failed', captured: false } },
    ])
    // It names no page for its person, so our rail knows no more than that nothing is held.
    const asked = await authorize('4000002760003184')
    judge('3-D Secure, asked', asked.said, asked.intent, [{ kind: 'unknown' }, { status: 'requires_action' }])
    const proof = { client_secret: String(asked.intent.client_secret), success: 'true' }
    await ask(there, `/v1/payment_intents/${asked.intent.id}/_authenticate`, proof)
    const proven = await rail.get('authorization', String(asked.intent.id), call)
    judge('3-D Secure, confirmed', proven, await intentOf(String(asked.intent.id)), [
      done('authorized', { amount }),
      { status: 'requires_capture' },
    ])
    steps.push({ step: 'signed webhook', wrong: await hearSigned(there) })
    return steps
  } finally {
    await egress.close()
    await words.close()
  }
}

/** Where the one has something else than what is expected. */
function differing(given: object, expected: object, at = ''): string[] {
  return Object.entries(expected).flatMap(([name, value]) => {
    const one: unknown = Reflect.get(given, name)
    if (typeof value === 'object' && value !== null && typeof one === 'object' && one !== null)
      return differing(one, value, `${at}${name}.`)
    return one === value ? [] : [`${at}${name} is ${String(one)} instead of ${String(value)}`]
  })
}

async function keep(there: string, number: string): Promise<{ customer: string; method: string }> {
  const customer = (await ask(there, '/v1/customers', { description: 'Of a test' })).id
  const card = { number, exp_month: '12', exp_year: '2035', cvc: '123' }
  const fields = Object.entries(card).map(([name, value]) => [`card[${name}]`, value])
  const made = await ask(there, '/v1/payment_methods', { type: 'card', ...Object.fromEntries(fields) })
  await ask(there, `/v1/payment_methods/${made.id}/attach`, { customer })
  return { customer, method: made.id }
}

// biome-ignore lint/suspicious/noExplicitAny: objects as Stripe documents them
async function ask(there: string, path: string, fields?: Record<string, string>): Promise<any> {
  const headers = { authorization: `Bearer ${key}` }
  const body = fields === undefined ? {} : { method: 'POST', body: new URLSearchParams(fields) }
  const text = await (await fetch(there + path, { headers, ...body })).text()
  return text === '' ? {} : JSON.parse(text)
}

/** Its events are signed as ours have to be: exactly these bytes, by this secret. */
async function hearSigned(there: string): Promise<string[]> {
  const secret = `whsec_${randomUUID()}`
  const heard = Promise.withResolvers<{ body: Buffer; signature: string | undefined }>()
  const listener = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    heard.resolve({ body: Buffer.concat(chunks), signature: String(request.headers['stripe-signature']) })
    response.end()
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as AddressInfo // it listens on a port
  try {
    await ask(there, '/_config/webhooks/plain', { url: `http://127.0.0.1:${port}/`, secret })
    await ask(there, '/v1/customers', { description: 'That it tells of' })
    const { body, signature } = await heard.promise
    const isSigned = (by: string, bytes: Buffer) =>
      isSignedBy(new Secret(by), { body: bytes, signature, nowMs: Date.now() })
    return [
      ...(isSigned(secret, body) ? [] : ['a signature is not what it has to be']),
      ...(isSigned(secret, Buffer.concat([body, Buffer.from(' ')])) ? ['other bytes count as signed'] : []),
      ...(isSigned('whsec_other', body) ? ['another secret counts as its own'] : []),
    ]
  } finally {
    listener.close()
    listener.closeAllConnections()
  }
}
