import type { Memory } from './memory.ts'
import type { TestCard } from './test-cards.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Visa gives five days to a payment without its holder, of which Stripe keeps six hours for itself. */
const visaWithoutHolderMs = 4 * dayMs + 18 * hourMs

/**
 * How long a hold lasts before it ends by itself: https://docs.stripe.com/payments/place-a-hold-on-a-payment-method. Networks give some
 * accounts more (extended authorizations).
 */
export function holdMsOf(
  { heldDays }: Pick<Memory, 'heldDays'>,
  card: TestCard | null,
  isOffSession: boolean,
): number {
  if (heldDays !== null) return heldDays * dayMs
  return card === null || (card.brand === 'visa' && isOffSession) ? visaWithoutHolderMs : 7 * dayMs
}
