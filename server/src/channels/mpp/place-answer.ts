import type { PlaceAnswer, Placed, PlaceMemory, PlaceRefusal } from '../../domain/buying/channels/port.ts'
import type { NotNow } from '../../domain/buying/rails/port.ts'
import { readReceipt } from '../../protocols/mpp/pay.ts'
import { reasonOf, retryAfterOf } from './foreign-words.ts'
import { headerOf, type SiteAnswer } from './send-request.ts'

type Answered = Extract<SiteAnswer, { kind: 'answer' }>

/** The first answer to a payment. What is not certain is unknown: the rail says whether anything was charged. */
export function placedBy(said: SiteAnswer): PlaceAnswer {
  if (said.kind === 'not_sent') return said
  if (said.kind === 'lost') return { kind: 'unknown' }
  const done = doneBy(said)
  if (done !== null) return done
  if (said.kind === 'too_large') return { kind: 'unknown' }
  if (said.status === 402) return refusedBy('payment_declined', said)
  return isRefusal(said.status) ? refusedBy('order_rejected_by_merchant', said) : { kind: 'unknown' }
}

/**
 * The answer to the same payment once more. That it is not accepted says nothing: a merchant that has no memory of its answers refuses a
 * payment that it has taken before.
 */
export function rememberedBy(said: SiteAnswer, now: Date): PlaceMemory {
  if (said.kind === 'not_sent' || said.kind === 'lost') return { kind: 'unknown' }
  const done = doneBy(said)
  if (done !== null) return done
  if (said.kind === 'too_large') return { kind: 'unknown' }
  if (said.status === 429) return busy(said, now)
  const isUsed = said.status === 402 || said.status === 409
  return isRefusal(said.status) && !isUsed
    ? refusedBy('order_rejected_by_merchant', said)
    : { kind: 'unknown' }
}

function doneBy(said: Answered | Extract<SiteAnswer, { kind: 'too_large' }>): {
  readonly kind: 'done'
  readonly value: Placed
} | null {
  if (said.status < 200 || said.status > 299) return null
  // It was bought, and there is more of it than can be kept.
  if (said.kind === 'too_large')
    return { kind: 'done', value: { orderId: null, transactionId: null, result: null } }
  const receipt = headerOf(said, 'payment-receipt') ?? null
  const paid = receipt === null ? null : readReceipt(receipt)
  return {
    kind: 'done',
    value: {
      orderId: paid?.externalId ?? paid?.reference ?? null,
      transactionId: paid?.reference ?? null,
      result: {
        bytes: said.body,
        contentType: headerOf(said, 'content-type') ?? null,
        receipt: paid === null ? null : receipt,
      },
    },
  }
}

/** Statuses that a server answers with once it has decided. 408, 425 and 429 it answers with before that. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 425 && status !== 429
}

function refusedBy(
  code: PlaceRefusal['code'],
  said: Answered,
): { readonly kind: 'refused'; readonly refusal: PlaceRefusal } {
  return refused(code, reasonOf(said).message)
}

export function refused(
  code: PlaceRefusal['code'],
  message: string | null,
  declineCode: string | null = null,
): { readonly kind: 'refused'; readonly refusal: PlaceRefusal } {
  return { kind: 'refused', refusal: { code, message, declineCode } }
}

/** The price was asked for once more before paying, and nothing was paid. */
export function withoutChallenge(said: SiteAnswer, now: Date): PlaceAnswer {
  if (said.kind === 'not_sent') return said
  if (said.kind === 'answer' && said.status === 429) return busy(said, now)
  if (said.kind === 'lost' || said.status >= 500) return { kind: 'not_sent', retryable: true }
  if (said.status < 400) return refused('price_changed', 'It asks for no payment by now.')
  return said.kind === 'answer'
    ? refusedBy('order_rejected_by_merchant', said)
    : refused('order_rejected_by_merchant', null)
}

function busy(said: Answered, now: Date): NotNow {
  return { kind: 'not_now', reason: 'busy', retryAfterSeconds: retryAfterOf(said, now) }
}
