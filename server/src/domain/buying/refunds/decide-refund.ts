import { after } from '../../../core/backoff.ts'
import type { PutOff } from '../../../core/put-off.ts'
import type { LockedRefund, RefundNews } from '../../trade/orders/public.ts'
import { backoffSeconds, putOffBy, type RailAnswer, type RailMemory } from '../rails/public.ts'

/** An answer about a refund: to sending it, or to asking about it. */
export type RefundAnswer =
  | { readonly kind: 'sent'; readonly answer: RailAnswer }
  | { readonly kind: 'asked'; readonly answer: RailMemory }

/**
 * Whether to send a refund or to ask about it. A refund that may have arrived is asked about; one that the rail has not seen is sent
 * again under the same key, which is the same call even if the first is still on its way. Neither a freeze nor a number of tries ends it.
 */
export function decideRefundCall(refund: Pick<LockedRefund, 'may_have_left'>): 'send' | 'ask' {
  // guard lost-refund-asked-about: a refund that may have arrived is asked about
  return refund.may_have_left ? 'ask' : 'send'
}

type Later = Extract<RefundNews, { kind: 'later' }>

/** What follows from an answer for a refund; `later`: when to look again. */
export function decideRefundNews(
  refund: Pick<LockedRefund, 'tries' | 'asked' | 'put_off'>,
  { kind, answer }: RefundAnswer,
  now: Date,
): RefundNews {
  const wasAsked = kind === 'asked'
  const later = (mayHaveLeft: boolean, seconds: number): Later => ({
    kind: 'later',
    dueAt: after(now, seconds),
    mayHaveLeft,
    wasAsked,
    putOff: refund.put_off,
  })
  switch (answer.kind) {
    case 'done':
      return { kind: 'succeeded', reference: answer.value.reference, amount: answer.value.amount }
    case 'refused':
      return { kind: 'failed', code: answer.refusal.declineCode ?? answer.refusal.code }
    case 'not_now':
      // If sending was turned away, nothing has left. If asking was turned away, the outcome is as uncertain as before.
      // guard refund-turned-away-has-not-left: a refund whose question was turned away may still have arrived
      return leftAlone(later(wasAsked, 0), putOffBy(now, { ...refund, step: 'refund' }, answer))
    case 'not_sent':
    case 'not_found':
      return later(false, backoffSeconds(refund.tries))
    case 'unknown':
    case 'pending':
      return later(true, wasAsked ? backoffSeconds(refund.asked + 1) : 0)
    // Our code never closes the key of a refund. If somebody else did, nothing happened and nothing will.
    case 'closed':
      return { kind: 'failed', code: 'closed' }
    default:
      return answer satisfies never
  }
}

function leftAlone(later: Later, putOff: PutOff): Later {
  return { ...later, dueAt: new Date(putOff.until), putOff }
}
