import type { NeedsPerson, NotNow, RailObject } from '../../domain/buying/rails/port.ts'
import { isRecord } from '../../platform/egress/peer-json.ts'
import { fromStripe } from './currencies.ts'
import { notNowOf, pageOf, personMs } from './payment-intent.ts'
import type { StripeAnswer } from './stripe-api.ts'

/**
 * A token that we have issued. `isWaiting`: its buyer has to do something before a seller can use it, at the page of `person`; null: it says
 * no page.
 */
type IssuedToken = {
  readonly object: RailObject
  readonly isWaiting: boolean
  readonly person: NeedsPerson | null
}

/** Null: this is no token, or one in a state that nobody has documented. */
export function issuedTokenOf(body: Readonly<Record<string, unknown>>): IssuedToken | null {
  const { id, object, status, usage_limits: limits, usage_details: details } = body
  if (object !== 'shared_payment.issued_token' || typeof id !== 'string') return null
  if (!isRecord(limits) || typeof limits.currency !== 'string') return null
  const currency = limits.currency.toUpperCase()
  const amount = fromStripe(limits.max_amount, currency)
  const captured = capturedOf(details, currency)
  const ended = body.deactivated_reason ?? null
  if (amount === null || captured === null || (ended !== null && !reasons.includes(ended))) return null
  const isWaiting = status === 'requires_action' && ended === null
  return {
    isWaiting,
    person: isWaiting ? personIn(body) : null,
    object: {
      reference: id,
      ...standingOf(ended, { amount, captured }),
      amount,
      capturedAmount: captured,
      currency,
      captureReference: captured > 0n ? id : null,
    },
  }
}

function personIn({ next_action: action, created }: Readonly<Record<string, unknown>>): NeedsPerson | null {
  const url = pageOf(action)
  if (url === null || typeof created !== 'number') return null
  return { kind: 'needs_person', url, until: new Date(created * 1000 + personMs) }
}

/** Why Stripe says that a token can be used no more. */
const reasons: readonly unknown[] = ['consumed', 'expired', 'resolved', 'revoked']

/**
 * Stripe shows what was captured, and not what is only held. But a token that its seller has used up was used for its whole limit, and one
 * that was resolved is charged elsewhere, for an amount that Stripe does not know: both count as charged.
 */
function standingOf(
  ended: unknown,
  { amount, captured }: { amount: bigint; captured: bigint },
): Pick<RailObject, 'status' | 'claimedAmount'> {
  if (captured > 0n) return { status: 'captured', claimedAmount: null }
  if (ended === 'consumed') return { status: 'claimed', claimedAmount: amount }
  if (ended === 'resolved') return { status: 'claimed', claimedAmount: null }
  return { status: ended === null ? 'authorized' : 'voided', claimedAmount: null }
}

function capturedOf(details: unknown, currency: string): bigint | null {
  if (details === null || details === undefined) return 0n
  if (!isRecord(details)) return null
  const { amount_captured: captured } = details
  if (captured === null || captured === undefined) return 0n
  return isRecord(captured) ? fromStripe(captured.value, currency) : null
}

type Read = IssuedToken | NotNow | { readonly kind: 'unknown' }

/** The token that Stripe has answered with; else what prevented that. */
export function tokenIn(said: StripeAnswer): Read {
  if (said.kind !== 'answer') return { kind: 'unknown' }
  const token = said.status === 200 ? issuedTokenOf(said.body) : null
  return token ?? notNowOf(said) ?? { kind: 'unknown' }
}
