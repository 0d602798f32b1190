import type { LoadedCart } from '../intents/public.ts'

export const tokenStatuses = [
  'pending',
  'active',
  'authorized',
  'captured',
  'released',
  'expired',
  'failed',
] as const
export type TokenStatus = (typeof tokenStatuses)[number]

/** How the cart of a token stands, and what the rail holds for it. */
export type TokenFacts = {
  readonly cart_status: LoadedCart['status']
  readonly failure_code: string | null
  /** The cart's credential is in the merchant's hands: it can be charged, and the purchase cannot be cancelled any more. */
  readonly is_handed_out: boolean
  /** The merchant has authorized against the credential. */
  readonly is_claimed: boolean
}

/** A token has no state of its own: what it is follows from its cart and from the credential at the rail. */
export function tokenStatusOf(facts: TokenFacts): TokenStatus {
  switch (facts.cart_status) {
    case 'succeeded':
      return 'captured'
    case 'cancelled':
      return 'released'
    case 'failed':
      return statusOfFailure(facts)
    case 'created':
    case 'in_progress':
    case 'awaiting_merchant_auth':
      if (facts.is_claimed) return 'authorized'
      return facts.is_handed_out ? 'active' : 'pending'
    default:
      return facts.cart_status satisfies never
  }
}

function statusOfFailure({ failure_code }: TokenFacts): TokenStatus {
  switch (failure_code) {
    case 'payment_token_expired':
      return 'expired'
    case 'order_rejected_by_merchant':
      return 'released'
    // The merchant still holds the money, and a person has to find out.
    case 'outcome_unknown':
      return 'authorized'
    default:
      return 'failed'
  }
}
