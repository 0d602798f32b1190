import { Challenge, Credential, Method, z } from 'mppx'
import { Mppx } from 'mppx/client'
import { expect } from 'vitest'
import type { Buyer } from './buying.ts'
import { startUcpShop } from './ucp-shop.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
type Body = any

/** The method of this service, as a payer elsewhere would write it for the library. */
const vaultCharge = Method.from({
  name: 'vault',
  intent: 'charge',
  schema: {
    credential: { payload: z.object({ token: z.string() }) },
    request: z.object({
      amount: z.string(),
      currency: z.string(),
      recipient: z.string(),
      methodDetails: z.object({ testMode: z.boolean() }),
    }),
  },
})

type Sent = {
  method?: string
  body?: object
  /** Instead of a body. */
  text?: string
  credential?: string
  key?: string
}

/** The shop of `startUcpShop` over MPP, and a buyer of another account that pays there by approved purchases. */
export async function startMppShop() {
  const shop = await startUcpShop()
  const { buying, variants } = shop
  const base = '/mpp/test/m/rose'
  const buyer: Buyer = await buying.newBuyer()
  // Purchases of other accounts find a merchant by its proved domain.
  await buying.sql(`update merchants set domain_verified_at = now() where slug = 'rose'`)

  const openApi: Body = await (await fetch(`${buying.app.url}${base}/openapi.json`)).json()

  /** The statuses that the merchant's own document says may come. */
  async function declared(method: string, path: string): Promise<number[]> {
    const [bare = ''] = path.split('?')
    const found = Object.entries<Body>(openApi.paths).find(([template]) =>
      new RegExp(`^(/mpp)?${template.replace(/^\/mpp/, '').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(bare),
    )
    return Object.keys(found?.[1][method.toLowerCase()]?.responses ?? {}).map(Number)
  }

  async function ask(path: string, { method = 'POST', body, text, credential, key }: Sent = {}) {
    const sent = text ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await fetch(`${buying.app.url}${base}${path}`, {
      method,
      headers: {
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        ...(credential === undefined ? {} : { authorization: credential }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(sent === undefined ? {} : { body: sent }),
    })
    const answer: Body = await response.json()
    expect([path, await declared(method, path)]).toEqual([path, expect.arrayContaining([response.status])])
    return { status: response.status, headers: response.headers, body: answer }
  }

  const order = (more: object = {}) => ({
    items: [{ variant_id: variants.MUG, quantity: 1 }],
    buyer: { email: 'ada@example.com', name: 'Ada Lovelace' },
    shipping_address: {
      line1: '5 Oak Rd',
      city: 'Bend',
      state: 'OR',
      postal_code: '97701',
      country: 'US',
    },
    ...more,
  })

  /** What to pay for an order. */
  async function challengeFor(body: object = order()) {
    const { status, headers, body: problem } = await ask('/orders', { body })
    expect(status, JSON.stringify(problem)).toBe(402)
    return Challenge.fromHeaders(headers)
  }

  /** An approved purchase, and its token for a challenge. */
  async function tokenFor(
    challenge: { id: string },
    { amount = 2700, merchant = { slug: 'rose' } as object } = {},
  ): Promise<{ intent: string; token: string }> {
    const { id } = await buying.buy(buyer, [{ url: 'https://rose.example/mug', amount: 5000 }], {
      execution_method: 'payment_token',
    })
    const body = { merchant, amount, currency: 'USD', binding: { challenge_id: challenge.id } }
    const made = await buying.app.post(`/v1/purchase_intents/${id}/payment_tokens`, body, { key: buyer.key })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    return { intent: id, token: made.body.token }
  }

  const credentialFor = (challenge: Challenge.Challenge, payload: object, source?: string) =>
    Credential.serialize({ challenge, payload, ...(source === undefined ? {} : { source }) })

  /** Pays an order by hand. */
  async function pay(body: object, more: { key?: string; source?: string } = {}) {
    const challenge = await challengeFor(body)
    const { intent, token } = await tokenFor(challenge, { amount: Number(challenge.request.amount) })
    const credential = credentialFor(challenge, { token }, more.source)
    const answer = await ask('/orders', { body, credential, ...(more.key ? { key: more.key } : {}) })
    return { answer, challenge, intent, token, credential }
  }

  const intents: string[] = []
  const vault = Method.toClient(vaultCharge, {
    async createCredential({ challenge }) {
      const { intent, token } = await tokenFor(challenge, { amount: Number(challenge.request.amount) })
      intents.push(intent)
      return Credential.serialize({ challenge, payload: { token }, source: 'did:web:payer.example' })
    },
  })
  /** A payer that knows nothing of this service but the protocol and where tokens come from. */
  const payer = Mppx.create({ polyfill: false, maxPaymentRetries: 1, methods: [vault] })

  return {
    ...shop,
    base,
    buyer,
    vault,
    payer,
    intents,
    ask,
    order,
    challengeFor,
    tokenFor,
    credentialFor,
    pay,
  }
}
