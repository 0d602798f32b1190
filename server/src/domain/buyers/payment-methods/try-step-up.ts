import type { CallContext } from '../../../contract/context.ts'
import { neededFor, stepUpOf, type VerificationInput, type VerificationNeeded } from './check-verification.ts'
import { afterRefusal, isProven } from './decide-enrollment.ts'
import type { PaymentMethodRow } from './payment-method.ts'
import { countRefusal } from './refusals.ts'
import { testCardOf } from './test-cards.ts'
import { writeMethod } from './write-payment-method.ts'

/**
 * Tries the proof of an approval on a locked card, and counts it as enrollment does: the third refused proof in a row ends the
 * enrollment, and from then on the card needs its security code. Where the proof is refused, it returns what the buyer has to do, which
 * must be committed with the count; null where the card is proved, or needs no proof.
 */
export function tryStepUp(
  ctx: CallContext,
  row: PaymentMethodRow,
  input: VerificationInput,
  how: HowCounted,
): VerificationNeeded | null {
  const given = input.payment_verification
  // A proof of another kind is a misunderstanding and not a guess.
  if (!given || given.method !== stepUpOf(row, input.agentic_credentials_preference)) return null
  const isRight = isProven(row.test_card === null ? null : testCardOf(row.test_card), given)
  const counted = countStepUp(ctx, row, isRight, how)
  return isRight ? null : neededFor(counted, input.agentic_credentials_preference)
}

/** `atCard`: somebody vouches for who tries. Whoever has a link or a copied key must not end the enrollment of another's card. */
export type HowCounted = { readonly atCard: boolean }

/** Counts a proof of a locked card that was right or wrong; the card as it is then. */
export function countStepUp(
  ctx: CallContext,
  row: PaymentMethodRow,
  isRight: boolean,
  { atCard }: HowCounted,
): PaymentMethodRow {
  countRefusal(ctx, row.profile_id, !isRight)
  // guard cards-stay-enrolled: wrong proofs in a page that nobody vouches for change no card
  if (!atCard) return row
  if (isRight && row.failed_verifications === 0) return row
  // guard wrong-proof-counts: wrong passwords at approvals are counted
  const changes = isRight ? { failed_verifications: 0 } : afterRefusal(row)
  const type = isRight ? 'payment_method.verified' : 'payment_method.verification_refused'
  writeMethod(ctx, row, changes, type)
  return { ...row, ...changes }
}
