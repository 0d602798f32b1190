import { ok, type Result, refused } from '../../../core/result.ts'
import type { OrderRow } from './order.ts'

type Facts = Pick<OrderRow, 'status' | 'response_digest' | 'expires_at'>

/**
 * What an answer of the merchant changes. An order accepts one answer; the same bytes again are a retry of it, whatever has happened to
 * the order since.
 */
export function decideResponse(
  order: Facts,
  answer: { readonly outcome: 'confirmed' | 'rejected'; readonly digest: Buffer },
  now: Date,
): Result<'confirm' | 'reject' | 'repeat', 'response_conflict' | 'order_not_awaiting'> {
  if (order.response_digest?.equals(answer.digest)) return ok('repeat')
  // guard one-answer-per-order: an order takes one answer
  if (order.response_digest) return refused('response_conflict')
  // An order whose time is over awaits nothing, also in the moment before it is marked as expired.
  // guard answers-to-waiting-orders: an order that was cancelled takes no answer
  // guard answers-in-time: an order whose time is up takes no answer
  if (order.status !== 'awaiting_confirmation' || (order.expires_at ?? now) <= now)
    return refused('order_not_awaiting')
  return ok(answer.outcome === 'confirmed' ? 'confirm' : 'reject')
}
