import type { Stripe } from 'stripe'
import type { Call, RailAnswer, RailCharge, RailRefusal } from '../../domain/buying/rails/port.ts'
import { isRecord } from '../../platform/egress/peer-json.ts'
import { amountOf, declineOf, errorOf, type Intent, intentOf, keyField, notNowOf } from './payment-intent.ts'
import { type StripeAnswer, type StripeApi, within } from './stripe-api.ts'

/**
 * Makes the intent of a key, or finds the one that was made under it. It holds nothing, so this can be done whenever the intent has to be
 * known: its id is what a charge is confirmed and closed by.
 */
export function makeIntent(api: StripeApi, input: RailCharge, call: Call): Promise<StripeAnswer> {
  const { key, amount, currency, merchant, reference } = input
  const params: Stripe.PaymentIntentCreateParams = {
    amount: Number(amount),
    currency: currency.toLowerCase(),
    capture_method: 'manual',
    // Nobody is there who could be sent elsewhere.
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    description: reference,
    metadata: { [keyField]: key, merchant },
  }
  return api.sendAboutTokens((stripe, options) => stripe.paymentIntents.create(params, options), call, key)
}

/**
 * Holds the money of a token: makes the intent of the key, and confirms it with the token. Stripe offers both in one request. They are two
 * here, because a request whose answer is lost can only be closed by the id of its intent.
 */
export async function chargeToken(api: StripeApi, input: RailCharge, call: Call): Promise<RailAnswer> {
  const next = within(call)
  if (!isChargeable(input.amount, input.currency)) return refused({ code: 'currency_not_supported' })
  const made = await makeIntent(api, input, next())
  if (made.kind === 'not_sent') return made
  if (made.kind !== 'answer') return { kind: 'unknown' }
  const intent = made.status === 200 ? intentOf(made.body) : null
  if (intent === null) return answerToMaking(made)
  const params = { payment_method_data: { shared_payment_granted_token: input.credential } }
  const confirmed = await api.sendAboutTokens(
    (stripe, options) => stripe.rawRequest('POST', `${pathOf(intent.id)}/confirm`, params, options),
    next(),
    `${input.key}:confirm`,
  )
  // The intent holds nothing without its confirmation.
  if (confirmed.kind === 'not_sent') return confirmed
  if (confirmed.kind !== 'answer') return { kind: 'unknown' }
  return await answerToConfirming(api, { input, intent, confirmed }, next)
}

/** Currencies whose amounts Stripe counts in another unit than ISO 4217 does. */
const countedOtherwise = ['ISK', 'UGX', 'MGA']
/** Of these, Stripe takes amounts whose last digit is zero. */
const ofThreeDecimals = ['BHD', 'JOD', 'KWD', 'OMR', 'TND']

/** Whether Stripe takes exactly this amount. A conversion would charge something else than was agreed. */
export function isChargeable(amount: bigint, currency: string): boolean {
  if (countedOtherwise.includes(currency)) return false
  return !ofThreeDecimals.includes(currency) || amount % 10n === 0n
}

type Answered = Extract<StripeAnswer, { kind: 'answer' }>

/** The refusals by which no intent of these terms will ever be made. */
const neverMade: readonly unknown[] = ['amount_too_small', 'amount_too_large', 'currency_not_supported']

export function answerToMaking(made: Answered): RailAnswer {
  const { code } = errorOf(made)
  if (made.status === 400 && typeof code === 'string' && neverMade.includes(code)) return refused({ code })
  return notNowOf(made) ?? { kind: 'unknown' }
}

type Confirmed = { readonly input: RailCharge; readonly intent: Intent; readonly confirmed: Answered }

async function answerToConfirming(
  api: StripeApi,
  { input, intent, confirmed }: Confirmed,
  next: () => Call,
): Promise<RailAnswer> {
  const { status } = confirmed
  const error = errorOf(confirmed)
  if (status === 402 && error.type === 'card_error') return { kind: 'refused', refusal: declineOf(error) }
  const now = status === 200 ? intentOf(confirmed.body) : null
  if (now !== null) return await answerOfIntent(api, now, next)
  // It was confirmed before, or it was closed.
  if (error.code === 'payment_intent_unexpected_state') {
    const read = await readIntent(api, intent.id, next())
    return 'id' in read ? await answerOfIntent(api, read, next) : read
  }
  const away = notNowOf(confirmed)
  if (away === null) return { kind: 'unknown' }
  if (away.reason !== 'not_understood' && away.reason !== 'no_object') return away
  // The request is the same for each token, so it is the token that Stripe does not take.
  const why = await whyUnusable(api, input, next())
  return why === null ? away : refused(why)
}

/** What an intent means for the charge that has just confirmed it. */
async function answerOfIntent(api: StripeApi, intent: Intent, next: () => Call): Promise<RailAnswer> {
  switch (intent.state) {
    case 'held':
    case 'captured':
      return { kind: 'done', value: intent.object }
    case 'canceled':
      return refused({ code: 'closed' })
    case 'declined':
      return { kind: 'refused', refusal: intent.refusal ?? { code: 'declined', declineCode: null } }
    case 'acting':
      return await refuseToAct(api, intent, next)
    case 'pending':
    case 'open':
      return { kind: 'unknown' }
    default:
      return intent.state satisfies never
  }
}

/** A buyer that would have to confirm the payment is not here: the intent ends, so that nobody can confirm it later. */
export async function refuseToAct(
  api: StripeApi,
  intent: Intent,
  next: () => Call,
): Promise<Extract<RailAnswer, { kind: 'refused' | 'not_now' | 'unknown' }>> {
  await cancelIntent(api, intent.id, next())
  const now = await readIntent(api, intent.id, next())
  if (!('id' in now)) return now
  return now.state === 'canceled'
    ? refused({ code: 'declined', declineCode: 'authentication_required' })
    : { kind: 'unknown' }
}

/** Canceling needs no key: it can be done any number of times, and a key would repeat an answer that Stripe gave when it failed. */
export function cancelIntent(api: StripeApi, id: string, call: Call): Promise<StripeAnswer> {
  return api.send((stripe, options) => stripe.paymentIntents.cancel(id, {}, options), call)
}

/** The intent as it stands at this moment; what prevented the reading, where it cannot be read. */
export async function readIntent(api: StripeApi, id: string, call: Call) {
  const said = await api.send(
    (stripe, options) => stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] }, options),
    call,
  )
  if (said.kind !== 'answer') return { kind: 'unknown' } as const
  const intent = said.status === 200 ? intentOf(said.body) : null
  return intent ?? notNowOf(said) ?? ({ kind: 'unknown' } as const)
}

/** Asks what a token allows, after it was not taken; null: it should have been. */
async function whyUnusable(api: StripeApi, input: RailCharge, call: Call): Promise<Refused | null> {
  const path = `/v1/shared_payment/granted_tokens/${encodeURIComponent(input.credential)}`
  const said = await api.sendAboutTokens(
    (stripe, options) => stripe.rawRequest('GET', path, undefined, options),
    call,
  )
  if (said.kind !== 'answer') return null
  if (said.status === 404 && errorOf(said).code === 'resource_missing') return { code: 'token_unknown' }
  const { usage_limits: limits, deactivated_reason: ended } = said.body
  if (said.status !== 200 || !isRecord(limits)) return null
  if (typeof ended === 'string' || typeof said.body.deactivated_at === 'number')
    return { code: 'token_deactivated', declineCode: typeof ended === 'string' ? ended : null }
  if (typeof limits.currency === 'string' && limits.currency.toUpperCase() !== input.currency)
    return { code: 'wrong_currency' }
  const max = amountOf(limits.max_amount)
  return max !== null && max < input.amount ? { code: 'over_limit' } : null
}

function pathOf(id: string): string {
  return `/v1/payment_intents/${encodeURIComponent(id)}`
}

type Refused = { readonly code: string; readonly declineCode?: RailRefusal['declineCode'] }

export function refused({ code, declineCode = null }: Refused): Extract<RailAnswer, { kind: 'refused' }> {
  return { kind: 'refused', refusal: { code, declineCode } }
}
