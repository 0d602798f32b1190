import { type CartState, changeCart, changeHold, effectOf, holdOf, isRunning } from '../cart-state.ts'
import { settleHold } from '../follow-hold.ts'
import { changeFunding, fundingOf, owedBehind } from '../funding/funding.ts'
import { captureOf, type EffectRow, type HoldRow } from '../journal.ts'
import { moneyOf, nothing, orderPaid, type RailEffect, referenceAtRail, settle } from './effect.ts'

/** Takes the money of a confirmed order, or what stands behind a card that its merchant has charged. */
export const capture: RailEffect<'capture'> = {
  money: 'takes',
  make: (rail, input, call) => rail.capture(input, call),
  request(state, attempt) {
    const funding = fundingOf(state, attempt)
    if (funding !== null)
      return { ...nothing, amount: owedBehind(state, attempt), currency: funding.currency }
    const hold = holdOf(state, attempt)
    if (!hold) throw new Error('a capture without an authorization')
    return { ...nothing, amount: owedFor(state, hold), currency: hold.currency }
  },
  input: (state, effect) => ({
    key: effect.key,
    reference: referenceAtRail(state, effect),
    ...moneyOf(effect),
  }),
  done(before, effect, object) {
    const { captureReference, capturedAmount: amount } = object
    const settled = settle(before, effect, 'done', { kind: 'captured', amount, captureReference })
    const funding = fundingOf(settled, effect.attempt)
    if (funding !== null) {
      // What the merchant has authorized and not taken yet is captured before the hold ends.
      const isEarly = holdOf(settled, effect.attempt)?.status !== 'captured'
      const status = isEarly ? 'captured_early' : 'captured'
      return changeFunding(
        settleHold(settled, effect, { status, endsAt: funding.expires_at }),
        effect.attempt,
        { status: 'captured', captured_amount: amount, capture_reference: captureReference },
      )
    }
    const state = changeHold(settled, effect.attempt, captureOf(object))
    const charge = { actual_amount: amount, transaction_id: captureReference }
    // Once the cart is over, a capture is not its charge: it is refunded.
    const charged = isRunning(state, effect) ? changeCart(state, charge, 'cart.payment_captured') : state
    const endsAt = holdOf(state, effect.attempt)?.expires_at ?? state.now
    return orderPaid(settleHold(charged, effect, { status: 'captured', endsAt }), effect.attempt, 'captured')
  },
  refused: (state, effect) => lapsed(state, effect) ?? orderPaid(state, effect.attempt, 'failed'),
  closed: (state, effect) => lapsed(state, effect) ?? state,
}

/** Nothing can be captured of it any more: what the merchant has taken of the card in front of it is the operator's loss. */
function lapsed(state: CartState, effect: EffectRow): CartState | null {
  const funding = fundingOf(state, effect.attempt)
  if (funding === null) return null
  const told = settleHold(state, effect, { status: 'ended', endsAt: funding.expires_at })
  return changeFunding(told, effect.attempt, { status: 'expired' })
}

/** The amount of the hold, or the merchant's price if it was lowered since. */
function owedFor(state: CartState, hold: HoldRow): bigint {
  const placed = effectOf(state, 'place', hold.attempt)?.answer
  const owed = placed?.kind === 'placed' ? placed.owed : undefined
  // guard lower-price-captured: the captured amount is the price that the merchant confirmed
  if (owed === undefined) return hold.amount
  if (owed > hold.amount) throw new Error('an order asks for more than was authorized for it')
  return owed
}
