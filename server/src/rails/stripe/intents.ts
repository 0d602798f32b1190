import type { Stripe } from 'stripe'
import type { Call, RailAnswer, RailAuthorize, RailRefusal } from '../../domain/buying/rails/port.ts'
import { toStripe } from './currencies.ts'
import { errorOf, type Intent, intentOf, keyField, notNowOf } from './payment-intent.ts'
import type { StripeAnswer, StripeApi } from './stripe-api.ts'

/** What the intent of a key is made by: the same whenever it is sent. */
export type IntentTerms = {
  readonly key: string
  readonly params: Stripe.PaymentIntentCreateParams
  /** Only the preview of Stripe's interface pays intents by shared payment tokens. */
  readonly isPaidByToken: boolean
}

type Money = Pick<RailAuthorize, 'key' | 'amount' | 'currency' | 'merchant' | 'reference'>

/** Null: Stripe cannot be told this amount. */
export function moneyOf({ key, amount, currency, merchant, reference }: Money) {
  const told = toStripe(amount, currency)
  if (told === null) return null
  return {
    amount: told,
    currency: currency.toLowerCase(),
    capture_method: 'manual',
    description: reference,
    metadata: { [keyField]: key, merchant },
  } as const satisfies Stripe.PaymentIntentCreateParams
}

/**
 * Makes the intent of a key, or finds the one that was made under it. It holds nothing, so this can be done whenever the intent has to be
 * known: its id is what it is confirmed and closed by.
 */
export function makeIntent(
  api: StripeApi,
  { key, params, isPaidByToken }: IntentTerms,
  call: Call,
): Promise<StripeAnswer> {
  const make: Parameters<StripeApi['send']>[0] = (stripe, options) =>
    stripe.paymentIntents.create(params, options)
  return isPaidByToken
    ? api.sendAboutTokens(make, call, { preview: 'granted', key })
    : api.send(make, call, key)
}

/** Canceling needs no key: it can be done any number of times, and a key would repeat an answer that Stripe gave when it failed. */
export function cancelIntent(api: StripeApi, id: string, call: Call): Promise<StripeAnswer> {
  return api.send((stripe, options) => stripe.paymentIntents.cancel(id, {}, options), call)
}

/** The charge of an intent says until when it is held, and whether all of it went back. */
export const charged = ['latest_charge'] as const

/** The intent as it stands at this moment; what prevented the reading, where it cannot be read. */
export async function readIntent(api: StripeApi, id: string, call: Call) {
  const said = await api.send(
    (stripe, options) => stripe.paymentIntents.retrieve(id, { expand: [...charged] }, options),
    call,
  )
  if (said.kind !== 'answer') return { kind: 'unknown' } as const
  const intent = said.status === 200 ? intentOf(said.body) : null
  return intent ?? notNowOf(said) ?? ({ kind: 'unknown' } as const)
}

type Answered = Extract<StripeAnswer, { kind: 'answer' }>

/** The refusals by which no intent of these terms will ever be made. */
const neverMade: readonly unknown[] = ['amount_too_small', 'amount_too_large']

export function answerToMaking(made: Answered): RailAnswer {
  const { code, param } = errorOf(made)
  if (made.status === 400 && typeof code === 'string' && neverMade.includes(code)) return refused({ code })
  // By its country an account has some currencies, and Stripe has no code for the others.
  // guard unknown-currencies-are-refused: a purchase in a currency that the account does not have ends
  if (made.status === 400 && param === 'currency') return refused({ code: 'currency_not_supported' })
  return notNowOf(made) ?? { kind: 'unknown' }
}

/** What an intent means for the money that it was confirmed for; null: its person has to do something first. */
export function meaningOf(intent: Intent): RailAnswer | null {
  switch (intent.state) {
    case 'held':
    case 'captured':
      return { kind: 'done', value: intent.object }
    case 'canceled':
      return refused({ code: 'closed' })
    case 'declined':
      return { kind: 'refused', refusal: intent.refusal ?? { code: 'declined', declineCode: null } }
    case 'acting':
      return null
    case 'pending':
    case 'open':
      return { kind: 'unknown' }
    default:
      return intent.state satisfies never
  }
}

type Refused = { readonly code: string; readonly declineCode?: RailRefusal['declineCode'] }

export function refused({ code, declineCode = null }: Refused): Extract<RailAnswer, { kind: 'refused' }> {
  return { kind: 'refused', refusal: { code, declineCode } }
}
