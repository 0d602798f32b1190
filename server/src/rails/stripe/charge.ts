import type { Call, RailAnswer, RailCharge } from '../../domain/buying/rails/port.ts'
import { isRecord } from '../../platform/egress/peer-json.ts'
import { fromStripe } from './currencies.ts'
import {
  answerToMaking,
  cancelIntent,
  type IntentTerms,
  makeIntent,
  meaningOf,
  moneyOf,
  readIntent,
  refused,
} from './intents.ts'
import { declineOf, errorOf, type Intent, intentOf, notNowOf } from './payment-intent.ts'
import { type StripeAnswer, type StripeApi, within } from './stripe-api.ts'

/** What the intent of a charge is made by; null: Stripe cannot be told its amount. */
export function termsOfCharge(input: RailCharge): IntentTerms | null {
  const money = moneyOf(input)
  // Nobody is there who could be sent elsewhere.
  const methods = { enabled: true, allow_redirects: 'never' } as const
  return (
    money && {
      key: input.key,
      params: { ...money, automatic_payment_methods: methods },
      isPaidByToken: true,
    }
  )
}

/**
 * Holds the money of a token: makes the intent of the key, and confirms it with the token. Stripe offers both in one request. They are two
 * here, because a request whose answer is lost can only be closed by the id of its intent.
 */
export async function chargeToken(api: StripeApi, input: RailCharge, call: Call): Promise<RailAnswer> {
  const next = within(call)
  const terms = termsOfCharge(input)
  if (terms === null) return refused({ code: 'currency_not_supported' })
  const made = await makeIntent(api, terms, next())
  if (made.kind === 'not_sent') return made
  if (made.kind !== 'answer') return { kind: 'unknown' }
  const intent = made.status === 200 ? intentOf(made.body) : null
  if (intent === null) return answerToMaking(made)
  const path = `/v1/payment_intents/${encodeURIComponent(intent.id)}/confirm`
  const params = { payment_method_data: { shared_payment_granted_token: input.credential } }
  const confirmed = await api.sendAboutTokens(
    (stripe, options) => stripe.rawRequest('POST', path, params, options),
    next(),
    { preview: 'granted', key: `${input.key}:confirm` },
  )
  // The intent holds nothing without its confirmation.
  if (confirmed.kind === 'not_sent') return confirmed
  if (confirmed.kind !== 'answer') return { kind: 'unknown' }
  return await answerToConfirming(api, { input, intent, confirmed }, next)
}

type Answered = Extract<StripeAnswer, { kind: 'answer' }>
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
  return meaningOf(intent) ?? (await refuseToAct(api, intent, next))
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

/** Asks what a token allows, after it was not taken; null: it should have been. */
async function whyUnusable(
  api: StripeApi,
  input: RailCharge,
  call: Call,
): Promise<Parameters<typeof refused>[0] | null> {
  const path = `/v1/shared_payment/granted_tokens/${encodeURIComponent(input.credential)}`
  const said = await api.sendAboutTokens(
    (stripe, options) => stripe.rawRequest('GET', path, undefined, options),
    call,
    { preview: 'granted' },
  )
  if (said.kind !== 'answer') return null
  if (said.status === 404 && errorOf(said).code === 'resource_missing') return { code: 'token_unknown' }
  const { usage_limits: limits, deactivated_reason: ended } = said.body
  if (said.status !== 200 || !isRecord(limits)) return null
  if (typeof ended === 'string' || typeof said.body.deactivated_at === 'number')
    return { code: 'token_deactivated', declineCode: typeof ended === 'string' ? ended : null }
  if (typeof limits.currency === 'string' && limits.currency.toUpperCase() !== input.currency)
    return { code: 'wrong_currency' }
  const max = fromStripe(limits.max_amount, input.currency)
  return max !== null && max < input.amount ? { code: 'over_limit' } : null
}
