import { after } from '../../../../core/backoff.ts'
import { toWire } from '../../../../core/money.ts'
import type { Offer, OfferAnswer } from '../../channels/public.ts'
import { atStage, decidedPromo, failureOf, renderOffer, stageOf } from '../../intents/public.ts'
import type { NativeOfferAnswer } from '../../native/public.ts'
import { type CartState, changeCart, nextMove, type Turn } from '../cart-state.ts'
import { failCart } from '../end-cart.ts'
import { refusedByMerchant } from '../failures.ts'
import type { Done } from '../messages.ts'
import { roomSeconds } from '../step.ts'
import { askBuyer } from './ask-buyer.ts'
import { decideOffer } from './decide-offer.ts'
import { stopAtSignIn } from './sign-in.ts'

/** How long a cart whose price is in question waits while a person is asked about something else of the purchase. */
const questionSeconds = 30

/** What follows from a merchant's answer to "what is your price?". */
export function hearOffer(before: CartState, answer: NativeOfferAnswer): Turn {
  // Cancelled meanwhile, or waiting for a decision: the offer binds nobody.
  if (before.cart.status !== 'created' && before.cart.status !== 'in_progress') return { state: before }
  const state = started(before)
  const { now } = state
  const stage = stageOf(state.cart)
  const { tries, signIn } =
    stage.kind === 'offer' || stage.kind === 'room' ? stage : { tries: 0, signIn: null }
  switch (answer.kind) {
    case 'offer':
      return judge(state, answer)
    case 'refused':
      return { state: failCart(state, refusedByMerchant(answer.code, answer.message)) }
    case 'sign_in':
      return { state: stopAtSignIn(nextMove(state), answer) }
    case 'not_now': {
      const [since, count] = stage.kind === 'room' ? [stage.since, stage.count + 1] : [now, 1]
      const until = after(now, roomSeconds(count, answer.retryAfterSeconds))
      return { state: changeCart(state, atStage({ kind: 'room', tries, since, signIn, until, count })) }
    }
    case 'needs_input':
      return { state: askBuyer(state, answer) }
    case 'unavailable':
      return { state: changeCart(state, atStage({ kind: 'offer', tries: tries + 1, since: now, signIn })) }
    default:
      return answer satisfies never
  }
}

export function started(state: CartState): CartState {
  const { status, started_at } = state.cart
  return status === 'created'
    ? changeCart(state, { status: 'in_progress', started_at: started_at ?? state.now }, 'cart.started')
    : state
}

function judge(before: CartState, { offer, promo = null }: Extract<OfferAnswer, { kind: 'offer' }>): Turn {
  const { cart, intent, now } = before
  const items = cart.items.map((item) => {
    const line = offer.lines.find(({ itemId }) => itemId === item.id)
    return line ? { ...item, unit_amount: toWire(line.unitAmount), title: line.title ?? item.title } : item
  })
  const tried = decidedPromo(intent.promo_code, promo)
  const state = changeCart(
    before,
    { ...atStage({ kind: 'none' }), offer: renderOffer(offer, now), promo: tried, items },
    'cart.offer_updated',
  )
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
      return { state: { ...state, accepted: offer } }
    case 'fail':
      return { state: failCart(state, failureOf(verdict.code)) }
    case 'reapprove':
      return askAboutPrice(nextMove(state), offer)
    default:
      return verdict satisfies never
  }
}

/** One question at a time: while a person is asked about something else, this cart comes back later. */
function askAboutPrice(state: CartState, offer: Offer): Turn {
  const { status } = state.intent
  if (status === 'approved' || status === 'queued')
    return { state, next: { kind: 'command', command: { kind: 'propose_price', offer } } }
  return { state, next: { kind: 'rest', until: after(state.now, questionSeconds) } }
}

/** Whether a person is asked about the price by now. Nobody is where the answer could only be no. */
export function hearQuestion(
  before: CartState,
  { refusal, intent, carts }: Extract<Done, { kind: 'propose_price' }>,
): Turn {
  const cart = carts.find(({ id }) => id === before.cart.id)
  if (!cart) throw new Error('a purchase that has lost a cart')
  const others = carts.filter((one) => one !== cart)
  // What was said so far is written.
  const state = nextMove({ ...before, intent, cart, others })
  return refusal === null ? { state, next: { kind: 'asked' } } : { state: failCart(state, refusal) }
}

/** The terms of a token were decided when it was made: the total is the cap of its cart, and the merchant says nothing more about it. */
export function acceptToken(before: CartState): CartState {
  const { cart, now } = before
  const total = cart.max_allowed_amount
  const accepted: Offer = {
    subtotal: total,
    fulfillment: 0n,
    tax: 0n,
    discount: 0n,
    total,
    reference: null,
    currency: cart.currency,
    lines: cart.items.map(({ id, quantity, expected_amount }) => ({
      itemId: id,
      quantity,
      unitAmount: BigInt(expected_amount),
      title: null,
    })),
  }
  const begun = changeCart(started(before), atStage({ kind: 'none' }))
  const isKnown = cart.offer !== null
  return {
    ...(isKnown ? begun : changeCart(begun, { offer: renderOffer(accepted, now) }, 'cart.offer_updated')),
    accepted,
  }
}
