import { after } from '../../../../core/backoff.ts'
import {
  cleanupStage,
  decidedPromo,
  type FailureReason,
  failureOf,
  inputHours,
  offerStage,
  parseStage,
  proposePrice,
} from '../../intents/public.ts'
import { refusedByMerchant } from '../failures.ts'
import type { LockedCart } from '../locked-cart.ts'
import type { NativeOfferAnswer } from '../native/native.ts'
import type { Offer, OfferAnswer } from '../port.ts'
import { roomSeconds } from '../step.ts'
import { decideOffer } from './decide-offer.ts'
import { leaveSignIn, stopAtSignIn } from './sign-in.ts'

/** What follows from a merchant's answer to "what is your price?". `asked`: a person is asked about the price, and the cart waits. */
export async function applyOffer(locked: LockedCart, answer: NativeOfferAnswer): Promise<'go_on' | 'asked'> {
  const { cart } = locked
  // Cancelled meanwhile, or waiting for a decision: the offer binds nobody.
  if (cart.status !== 'created' && cart.status !== 'in_progress') return 'go_on'
  if (cart.status === 'created') {
    locked.change({ status: 'in_progress', started_at: cart.started_at ?? locked.ctx.now }, 'cart.started')
  }
  switch (answer.kind) {
    case 'offer':
      return await judge(locked, answer)
    case 'refused':
      failCart(locked, refusedByMerchant(answer.code, answer.message))
      return 'go_on'
    case 'sign_in':
      // Started, then stopped: the state table has no shorter way.
      await locked.flush()
      await stopAtSignIn(locked, answer)
      return 'go_on'
    case 'not_now': {
      const { now } = locked.ctx
      const stage = parseStage(cart.stage)
      const { tries, at, signIn, noRoom } =
        stage.kind === 'offer' ? stage : { tries: 0, at: now, signIn: null, noRoom: null }
      const count = (noRoom?.count ?? 0) + 1
      const until = after(now, roomSeconds(count, answer.retryAfterSeconds))
      locked.change({ stage: offerStage(tries, at, signIn, { since: noRoom?.since ?? now, until, count }) })
      return 'go_on'
    }
    case 'input': {
      const until = after(locked.ctx.now, inputHours * 3600).toISOString()
      locked.change({ question: { fields: answer.fields, until }, stage: null }, 'cart.input_required')
      return 'go_on'
    }
    case 'unavailable': {
      const stage = parseStage(cart.stage)
      const { tries, signIn } = stage.kind === 'offer' ? stage : { tries: 0, signIn: null }
      locked.change({ stage: offerStage(tries + 1, locked.ctx.now, signIn) })
      return 'go_on'
    }
    default:
      return answer satisfies never
  }
}

/** Ends the attempt. Money that is still held or captured keeps the cart in cleanup until it is released or refunded. */
export function failCart(locked: LockedCart, failure: FailureReason, isOutcomeKnown = true): void {
  const isHeld = locked.holds.some(({ status }) => status === 'authorized' || status === 'captured')
  locked.change(
    {
      status: 'failed',
      failure: isOutcomeKnown ? withoutRetry(locked, failure) : failure,
      outcome_known: isOutcomeKnown,
      past_no_return: !isOutcomeKnown,
      stage: isHeld && isOutcomeKnown ? cleanupStage : null,
      question: null,
      started_at: locked.cart.started_at ?? locked.ctx.now,
      completed_at: locked.ctx.now,
    },
    'cart.failed',
  )
  leaveSignIn(locked)
}

/** Where there is one attempt only, no retry makes sense. */
function withoutRetry({ cart }: LockedCart, failure: FailureReason): FailureReason {
  return cart.max_attempts > 1 ? failure : { ...failure, retry_policy: 'none' }
}

async function judge(
  locked: LockedCart,
  { offer, promo = null }: Extract<OfferAnswer, { kind: 'offer' }>,
): Promise<'go_on' | 'asked'> {
  const { cart, intent, ctx } = locked
  const shown = {
    subtotal: Number(offer.subtotal),
    fulfillment: Number(offer.fulfillment),
    tax: Number(offer.tax),
    discount: Number(offer.discount),
    total: Number(offer.total),
    as_of: ctx.now.toISOString(),
  }
  const items = cart.items.map((item) => {
    const line = offer.lines.find(({ itemId }) => itemId === item.id)
    return line ? { ...item, unit_amount: Number(line.unitAmount), title: line.title ?? item.title } : item
  })
  const tried = decidedPromo(intent.promo_code, promo)
  locked.change({ offer: shown, promo: tried, items, stage: null }, 'cart.offer_updated')
  const verdict = decideOffer(
    {
      currency: cart.currency,
      expectedAmount: cart.expected_amount,
      toleranceBasisPoints: cart.tolerance_basis_points,
      feeAllowance: cart.fee_allowance,
      maxAllowedAmount: cart.max_allowed_amount,
      onPriceExceed: intent.on_price_exceed,
    },
    offer,
  )
  switch (verdict.kind) {
    case 'accept':
      locked.accepted = offer
      return 'go_on'
    case 'fail':
      failCart(locked, failureOf(verdict.code))
      return 'go_on'
    case 'reapprove':
      return await askAboutPrice(locked, offer)
    default:
      return verdict satisfies never
  }
}

async function askAboutPrice(locked: LockedCart, offer: Offer): Promise<'go_on' | 'asked'> {
  const { status } = locked.intent
  await locked.flush()
  // One question at a time: while a person is asked about something else, this cart comes back later.
  if (status !== 'approved' && status !== 'queued') {
    await locked.rest(after(locked.ctx.now, 30))
    return 'asked'
  }
  const asked = await proposePrice(locked.ctx, locked.loaded, {
    cartId: locked.cartId,
    units: offer.lines.map(({ itemId, unitAmount }) => ({ itemId, unitAmount })),
    total: offer.total,
  })
  if (asked.ok) return 'asked'
  failCart(locked, asked.refusal)
  return 'go_on'
}
