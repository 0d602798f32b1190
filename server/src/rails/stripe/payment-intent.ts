import type { NotNow, RailObject, RailRefusal } from '../../domain/buying/rails/port.ts'
import { isRecord, turnedAwayBy } from '../../platform/egress/peer-json.ts'
import { fromStripe } from './currencies.ts'
import type { StripeAnswer } from './stripe-api.ts'

/** The metadata by which what was made under a key is found, once Stripe has forgotten the key. */
export const keyField = 'prokura_key'

/**
 * How an intent stands. `open`: nothing is held and nothing was tried. `declined`: it was tried. `acting`: its buyer has to do something,
 * and nothing is held before that.
 */
export type Intent = {
  readonly id: string
  readonly state: 'open' | 'declined' | 'acting' | 'pending' | 'held' | 'captured' | 'canceled'
  readonly object: RailObject
  /** The page on which its person confirms it; null: there is none. */
  readonly personUrl: string | null
  readonly madeAt: Date
  /** Its hold has ended by itself: nobody has released it. */
  readonly hasLapsed: boolean
  /** Why the last try failed. */
  readonly refusal: RailRefusal | null
}

const states: Readonly<Record<string, Intent['state']>> = {
  requires_payment_method: 'open',
  requires_confirmation: 'open',
  requires_action: 'acting',
  processing: 'pending',
  requires_capture: 'held',
  succeeded: 'captured',
  canceled: 'canceled',
}

/** Null: this is no intent, or one in a state that nobody has documented. */
export function intentOf(body: unknown): Intent | null {
  if (!isRecord(body) || body.object !== 'payment_intent') return null
  const { id, currency, last_payment_error: error } = body
  const status = states[typeof body.status === 'string' ? body.status : '']
  if (typeof id !== 'string' || typeof currency !== 'string' || typeof body.created !== 'number') return null
  const own = currency.toUpperCase()
  const amount = fromStripe(body.amount, own)
  // guard captures-say-how-much: an intent that does not say what was taken proves no capture
  const received = fromStripe(status === 'captured' ? body.amount_received : 0, own)
  if (status === undefined || amount === null || received === null) return null
  const refusal = isRecord(error) ? declineOf(error) : null
  const state = status === 'open' && refusal !== null ? 'declined' : status
  const capturedAmount = state === 'captured' ? received : 0n
  return {
    id,
    state,
    refusal,
    personUrl: pageOf(body.next_action),
    madeAt: new Date(body.created * 1000),
    hasLapsed: body.cancellation_reason === 'automatic' || body.cancellation_reason === 'expired',
    object: {
      reference: id,
      status: statusOf(state, body.latest_charge),
      amount,
      capturedAmount,
      currency: own,
      // An intent is captured once, and a refund names the intent.
      captureReference: state === 'captured' ? id : null,
      ...(state === 'held' ? heldUntil(body.latest_charge) : {}),
    },
  }
}

/** Only a charge that was asked for with its intent says this. The network of the card decides it, and it is 5 to 30 days. */
function heldUntil(charge: unknown): Pick<RailObject, 'heldUntil'> {
  const details =
    isRecord(charge) && isRecord(charge.payment_method_details) ? charge.payment_method_details : {}
  const before = isRecord(details.card) ? details.card.capture_before : null
  return typeof before === 'number' ? { heldUntil: new Date(before * 1000) } : {}
}

/** What a capture in part has left may count as refunded in the charge's sum: only the charge itself says that all of it went back. */
function statusOf(state: Intent['state'], charge: unknown): RailObject['status'] {
  if (state === 'held') return 'authorized'
  if (state === 'captured') return isRecord(charge) && charge.refunded === true ? 'refunded' : 'captured'
  return state === 'canceled' ? 'voided' : 'declined'
}

/** An issuer's own word, where it has one, else Stripe's. A person who did not confirm a payment has refused it. */
export function declineOf(error: Readonly<Record<string, unknown>>): RailRefusal {
  if (error.code === 'payment_intent_authentication_failure')
    return { code: 'authentication_failed', declineCode: null }
  return { code: 'declined', declineCode: textOf(error.decline_code) ?? textOf(error.code) }
}

type Answered = Extract<StripeAnswer, { kind: 'answer' }>

export function errorOf({ body }: Answered): Readonly<Record<string, unknown>> {
  return isRecord(body.error) ? body.error : {}
}

/**
 * Stripe did nothing, for now. A request that it does not understand is a mistake of ours and says nothing about the payment. An error
 * about the key says nothing either: the request under the key may have had its effect.
 */
export function notNowOf(answer: Answered): NotNow | null {
  const { status, retryAfterSeconds } = answer
  const { type, code } = errorOf(answer)
  const reason = turnedAwayBy(status)
  if (reason !== null)
    return {
      kind: 'not_now',
      reason: reason === 'misrouted' && code === 'resource_missing' ? 'no_object' : reason,
      retryAfterSeconds,
    }
  if ((status !== 400 && status !== 422) || type === 'idempotency_error') return null
  return { kind: 'not_now', reason: 'not_understood', retryAfterSeconds }
}

/** How long the person of a card has for the page of their bank. */
export const personMs = 30 * 60_000

export function pageOf(action: unknown): string | null {
  if (!isRecord(action) || !isRecord(action.redirect_to_url)) return null
  return textOf(action.redirect_to_url.url)
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
