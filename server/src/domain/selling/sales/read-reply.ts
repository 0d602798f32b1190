import { after, exponentialSeconds } from '../../../core/backoff.ts'
import { putOff } from '../../../core/put-off.ts'
import type {
  NotNow,
  RailAnswer,
  RailMemory,
  RailObject,
  RailReading,
  RailRefusal,
} from '../../buying/rails/public.ts'
import { backoffSeconds, salePace } from './decide-sale.ts'
import type { SaleFailure, SaleRow } from './sale.ts'

/** What the rail said: to a call, to a question about it, or about the hold. */
export type RailReply =
  | { readonly kind: 'sent'; readonly answer: RailAnswer }
  | { readonly kind: 'asked'; readonly answer: RailMemory }
  | { readonly kind: 'verified'; readonly answer: RailReading }

/** What follows: the call had its effect, it never will, or it is not known yet and the row says so. */
type CallOutcome =
  | { readonly kind: 'done'; readonly object: RailObject }
  | { readonly kind: 'refused'; readonly failure: SaleFailure }
  | { readonly kind: 'later'; readonly changes: Partial<SaleRow> }

type Facts = Pick<SaleRow, 'call' | 'asked' | 'may_have_left' | 'put_off' | 'call_number' | 'tries'>

/** Reads an answer about the call of a sale. */
export function readReply(sale: Facts, { kind, answer }: RailReply, now: Date): CallOutcome {
  const wasAsked = kind !== 'sent'
  const asked = wasAsked ? { asked: sale.asked + 1, asked_at: now } : {}
  const later = (changes: Partial<SaleRow>): CallOutcome => ({
    kind: 'later',
    changes: { ...asked, put_off: null, ...changes },
  })
  switch (answer.kind) {
    case 'done':
      return kind === 'verified'
        ? outcomeOfHold(sale, answer.value, later)
        : { kind: 'done', object: answer.value }
    case 'refused':
      return outcomeOfRefusal(sale, answer.refusal, later)
    case 'not_now':
      return {
        kind: 'later',
        changes: { ...turnedAway(sale, answer, now), ...(wasAsked ? {} : notLeft(sale)) },
      }
    case 'not_sent':
      return later(notLeft(sale))
    case 'not_found':
      return later({ heard: 'not_found' })
    case 'closed':
      return later({ heard: 'closed' })
    case 'pending':
      return later({ heard: 'pending' })
    case 'unknown':
      return later({ heard: wasAsked ? 'nothing' : null })
    default:
      return answer satisfies never
  }
}

/** This sending has not left. An earlier one may still be on its way, which the rail did not know when it was asked. */
function notLeft({ tries }: Facts): Pick<SaleRow, 'may_have_left' | 'heard'> {
  return tries > 1 ? { may_have_left: true, heard: 'not_found' } : { may_have_left: false, heard: null }
}

/** A release that was refused: the rail knows the state of the hold better than we do. */
function outcomeOfRefusal(
  sale: Facts,
  { code, declineCode }: RailRefusal,
  later: (changes: Partial<SaleRow>) => CallOutcome,
): CallOutcome {
  if (sale.call === 'void') return later({ heard: 'refused', asked: 0, asked_at: null })
  return { kind: 'refused', failure: { code, decline_code: declineCode } }
}

/** A hold that still stands is released under another key. */
function outcomeOfHold(
  sale: Facts,
  object: RailObject,
  later: (changes: Partial<SaleRow>) => CallOutcome,
): CallOutcome {
  if (object.status !== 'authorized') return { kind: 'done', object }
  return later({ heard: null, may_have_left: false, call_number: sale.call_number + 1 })
}

function turnedAway(sale: Facts, { reason, retryAfterSeconds }: NotNow, now: Date): Pick<SaleRow, 'put_off'> {
  const isCounted = reason !== 'circuit_open'
  const count = (sale.put_off?.count ?? 0) + 1
  const own =
    sale.call === 'void' ? exponentialSeconds(count, 1, salePace.sweepSeconds) : backoffSeconds(count)
  const seconds = isCounted
    ? Math.max(own, Math.min(retryAfterSeconds ?? 0, salePace.sweepSeconds))
    : (retryAfterSeconds ?? 1)
  return { put_off: putOff(sale.put_off, { now, seconds, reason, isCounted }) }
}

/** The columns of a sale whose call has ended, before the next one. A token pays once, so nothing needs it any more. */
export const noCall = {
  call: null,
  call_number: 1,
  call_amount: null,
  tries: 0,
  asked: 0,
  may_have_left: false,
  heard: null,
  sent_at: null,
  asked_at: null,
  not_before: null,
  put_off: null,
  sealed_token: null,
} as const satisfies Partial<SaleRow>

/** The columns of the hold that a charge has made. */
export function holdOf(
  { reference, amount, currency }: RailObject,
  sale: SaleRow,
  now: Date,
): Partial<SaleRow> {
  if (amount !== sale.amount || currency !== sale.currency)
    throw new Error('the rail holds another amount than the sale asked for')
  return { hold_reference: reference, hold_expires_at: after(now, salePace.holdDays * 86_400) }
}
