import { ok, type Result, refused } from '../../../../core/result.ts'
import { type CartRow, canRetryCart } from '../cart.ts'
import { approvalValidUntil, type IntentRow } from '../intent.ts'

type CartFacts = Pick<
  CartRow,
  'id' | 'status' | 'attempt_number' | 'max_attempts' | 'outcome_known' | 'stage'
>

type RetryRefusal =
  | { readonly code: 'not_retryable' }
  | { readonly code: 'not_found'; readonly index: number }

/** Which carts are tried again: those that the request names, or all that can be. */
export function decideRetry<Cart extends CartFacts>(
  status: IntentRow['status'],
  carts: readonly Cart[],
  named: readonly string[] | null,
): Result<readonly Cart[], RetryRefusal> {
  const known = new Set<string>(carts.map(({ id }) => id))
  const missing = named === null ? -1 : named.findIndex((id) => !known.has(id))
  if (missing >= 0) return refused({ code: 'not_found', index: missing })
  // guard retried-when-failed: only failed carts are tried again
  if (status !== 'failed') return refused({ code: 'not_retryable' })
  const chosen = named === null ? carts.filter(canRetryCart) : carts.filter(({ id }) => named.includes(id))
  if (chosen.length === 0 || !chosen.every(canRetryCart)) return refused({ code: 'not_retryable' })
  return ok(chosen)
}

/**
 * Whether a person has approved the purchase, and recently enough: then a retry needs no new approval. Otherwise it is decided by today's
 * policies, like a new purchase: they may no longer allow what they allowed then.
 */
export function isApprovalStanding(
  intent: Pick<IntentRow, 'approved_by' | 'approved_at'>,
  now: Date,
): boolean {
  const until = approvalValidUntil(intent)
  // guard approval-of-a-person-ends: an approved purchase is not tried again for ever without asking
  return until !== null && now < until
}
