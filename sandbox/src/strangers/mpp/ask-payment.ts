import type { Desk } from '../shop/desk.ts'
import { entryOf } from '../shop/memory.ts'
import { sellerProfile } from '../shop/stripe-seller.ts'
import { type Api, challengeMs, host, price } from './apis.ts'
import { type Challenge, makeChallenge, secretOf } from './challenge.ts'
import type { Method } from './take-payment.ts'

/** Why a payment is asked for, in the words of the scheme. */
export type Problem =
  | 'payment-required'
  | 'malformed-credential'
  | 'invalid-challenge'
  | 'payment-expired'
  | 'verification-failed'

/** What has to be paid for a request, by every method that the shop takes: each time anew. */
export function challengesFor(
  desk: Desk,
  name: string,
  { api, scope, digest }: { api: Api; scope: string; digest: string },
): Challenge[] {
  const { memory } = desk
  const note = `asked:${name}`
  const asked = Number(memory.notes.get(note) ?? 0)
  memory.commit({ kind: 'note', name: note, value: String(asked + 1) })
  const { recipients = [host], currencies = ['usd'], realm = host, expiresInMs = challengeMs } = api
  const { networks = [sellerProfile] } = api
  const networkId = networks[asked % networks.length]
  const terms = {
    amount: (api.amount ?? price) + (api.rises ?? 0) * asked,
    currency: currencies[asked % currencies.length] ?? 'usd',
    recipient: recipients[asked % recipients.length] ?? host,
    realm,
    expiresAt: new Date(Date.now() + expiresInMs),
  }
  const offered: { method: Method; details: object }[] = [
    { method: 'processor', details: { merchant: host } },
    ...(desk.stripeUrl === undefined
      ? []
      : [
          {
            method: 'stripe',
            details: { networkId, paymentMethodTypes: ['card'] },
          } as const,
        ]),
  ]
  const taken = offered.filter(({ method }) => api.methods?.includes(method) ?? true)
  return taken.map(({ method, details }) =>
    makeChallenge(secretOf(memory), terms, { method, digest, scope, details }),
  )
}

/** One line of the testimony about a request. */
export function testify(
  { memory }: Desk,
  name: string,
  result: string,
  {
    cart = null,
    amount = null,
    currency = null,
  }: { cart?: string | null; amount?: number | null; currency?: string | null } = {},
): void {
  memory.commit({
    kind: 'entry',
    entry: { ...entryOf('call', result, {}), items: name, cart, amount, currency },
  })
}
