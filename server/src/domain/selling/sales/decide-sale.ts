import { after, exponentialSeconds } from '../../../core/backoff.ts'
import type { SaleFailure, SaleRow } from './sale.ts'

/** Seconds and counts that bound waiting and trying. */
export const salePace = {
  /** The caller waits: after this time the sale ends without money. */
  giveUpSeconds: 900,
  triesMax: 5,
  retryMaxSeconds: 60,
  /** An order that awaits its merchant: an event says when to look; this is the backstop. */
  sweepSeconds: 900,
  /** For how many days an issuer keeps a hold. */
  holdDays: 7,
} as const

/** The order of a sale, as far as the sale depends on it. */
type OrderedGoods = {
  readonly status:
    | 'awaiting_confirmation'
    | 'confirmed'
    | 'rejected'
    | 'expired'
    | 'cancelled'
    | 'fulfilling'
    | 'completed'
  readonly total_amount: bigint
}

export type SaleStep =
  /** Commit the call, and make it. */
  | { readonly kind: 'send' }
  /** Find out how the call ended. */
  | { readonly kind: 'ask' }
  /** Make the rail refuse the call's key from now on. */
  | { readonly kind: 'close' }
  /** Read the hold, after its release was refused. */
  | { readonly kind: 'verify' }
  /** The order says what is next. */
  | { readonly kind: 'begin'; readonly call: 'capture' | 'void'; readonly amount: bigint | null }
  /** It is proven that the call had no effect, and it is not made any more. */
  | { readonly kind: 'give_up'; readonly failure: SaleFailure }
  | { readonly kind: 'wait'; readonly until: Date }
  | { readonly kind: 'rest' }

type Facts = Pick<
  SaleRow,
  | 'state'
  | 'call'
  | 'tries'
  | 'asked'
  | 'may_have_left'
  | 'heard'
  | 'sent_at'
  | 'asked_at'
  | 'not_before'
  | 'put_off'
  | 'hold_expires_at'
  | 'created_at'
>

/** Takes the facts and returns the next step of a sale. A call that may have had its effect is asked about before anything else. */
export function decideSale(sale: Facts, order: OrderedGoods | null, now: Date): SaleStep {
  switch (sale.state) {
    case 'charging':
      return bounded(sale, now, {
        until: after(sale.created_at, salePace.giveUpSeconds),
        triesMax: salePace.triesMax,
      })
    case 'ordered':
      return byOrder(order, now)
    case 'capturing':
      // A confirmed order is paid, however long it takes; once the hold is over it cannot be any more.
      return bounded(sale, now, { until: sale.hold_expires_at ?? now, triesMax: Number.POSITIVE_INFINITY })
    case 'releasing':
    case 'undoing':
      return release(sale, now)
    case 'captured':
    case 'released':
    case 'declined':
    case 'unpaid':
      return { kind: 'rest' }
    default:
      return sale.state satisfies never
  }
}

function byOrder(order: OrderedGoods | null, now: Date): SaleStep {
  if (order === null) throw new Error('a sale whose order is gone')
  switch (order.status) {
    case 'awaiting_confirmation':
      return { kind: 'wait', until: after(now, salePace.sweepSeconds) }
    case 'confirmed':
    case 'fulfilling':
    case 'completed':
      return { kind: 'begin', call: 'capture', amount: order.total_amount }
    case 'rejected':
    case 'expired':
    case 'cancelled':
      return { kind: 'begin', call: 'void', amount: null }
    default:
      return order.status satisfies never
  }
}

type Bounds = { readonly until: Date; readonly triesMax: number }

/** A call that takes money, or holds it: it is made until its time is over, and then it is closed. */
function bounded(sale: Facts, now: Date, { until, triesMax }: Bounds): SaleStep {
  const isOver = now >= until || sale.tries >= triesMax
  if (!sale.may_have_left) {
    if (isOver) return { kind: 'give_up', failure: { code: 'not_reached', decline_code: null } }
    return notBefore(sale, sendAt(sale, now), now, { kind: 'send' })
  }
  switch (sale.heard) {
    case 'closed':
      return sale.not_before !== null && now < sale.not_before
        ? { kind: 'wait', until: sale.not_before }
        : { kind: 'give_up', failure: { code: 'not_reached', decline_code: null } }
    case 'not_found':
      if (isOver) return notBefore(sale, now, now, { kind: 'close' })
      return notBefore(sale, sendAt(sale, now), now, { kind: 'send' })
    case 'pending':
    case 'nothing':
      return notBefore(sale, askAt(sale, now), now, { kind: isOver ? 'close' : 'ask' })
    case null:
      return notBefore(sale, now, now, { kind: 'ask' })
    case 'refused':
      throw new Error('a call that takes money goes on after its refusal')
    default:
      return sale.heard satisfies never
  }
}

/** Neither time nor a number of tries ends a release. */
function release(sale: Facts, now: Date): SaleStep {
  if (sale.heard === 'refused') return notBefore(sale, askAt(sale, now), now, { kind: 'verify' })
  if (!sale.may_have_left || sale.heard === 'not_found' || sale.heard === 'closed')
    return notBefore(sale, sendAt(sale, now), now, { kind: 'send' })
  return notBefore(sale, askAt(sale, now), now, { kind: 'ask' })
}

function sendAt({ tries, sent_at }: Facts, now: Date): Date {
  return sent_at === null || tries === 0 ? now : after(sent_at, backoffSeconds(tries))
}

function askAt({ asked, asked_at }: Facts, now: Date): Date {
  return asked_at === null ? now : after(asked_at, backoffSeconds(asked))
}

/** The step, once its time has come and the rail may be called again. */
function notBefore({ put_off }: Facts, at: Date, now: Date, step: SaleStep): SaleStep {
  const putOffUntil = put_off === null ? null : new Date(put_off.until)
  const until = putOffUntil !== null && putOffUntil > at ? putOffUntil : at
  return now < until ? { kind: 'wait', until } : step
}

export function backoffSeconds(attempt: number): number {
  return exponentialSeconds(Math.max(1, attempt), 1, salePace.retryMaxSeconds)
}
