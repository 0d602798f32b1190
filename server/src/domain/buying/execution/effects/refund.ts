import { type CartState, changeHold, effectOf, holdOf, isCharge, journaled } from '../cart-state.ts'
import { changeFunding, fundingOf, keptOf, owedBehind } from '../funding/funding.ts'
import { moneyOf, nothing, type RailEffect, renewed, settle, underNewKey } from './effect.ts'

/** Gives back what was captured without a purchase, or what was captured behind a card and its merchant has not kept. */
export const refund: RailEffect<'refund'> = {
  money: 'returns',
  make: (rail, input, call) => rail.refund(input, call),
  begin: beginReturn,
  request(state, attempt) {
    const funding = fundingOf(state, attempt)
    // What goes back by each refund is said by the funding: a merchant may give back several times.
    if (funding !== null) return { ...nothing, currency: funding.currency }
    const hold = holdOf(state, attempt)
    if (!hold) throw new Error('a refund of nothing')
    return { ...nothing, amount: hold.captured_amount, currency: hold.currency }
  },
  input(state, effect) {
    const { attempt, key } = effect
    const funding = fundingOf(state, attempt)
    const reference = (funding ?? holdOf(state, attempt))?.capture_reference
    if (!reference) throw new Error('a refund of a capture that the rail has not named')
    const money = moneyOf(effect)
    return funding === null
      ? { key, reference, ...money }
      : { key, reference, amount: funding.returning_amount, currency: money.currency }
  },
  isOwed(state, hold) {
    // Money of the operator's that was taken of an issued card is not the buyer's to get back.
    if (fundingOf(state, hold.attempt) !== null) return false
    // guard refund-before-a-retry: money that was charged for no order goes back
    return hold.status === 'captured' && !isCharge(state, hold)
  },
  done(state, effect, { reference, amount }) {
    const { attempt } = effect
    const settled = settle(state, effect, 'done', { kind: 'refunded', reference, amount })
    const funding = fundingOf(settled, attempt)
    if (funding === null) return changeHold(settled, attempt, { status: 'refunded' })
    const { returned_amount, returning_amount } = funding
    return changeFunding(settled, attempt, {
      returned_amount: returned_amount + returning_amount,
      returning_amount: 0n,
    })
  },
  refused: (state, effect) =>
    fundingOf(state, effect.attempt) === null
      ? state
      : renewed(state, journaled(state, effect.step, effect.attempt)),
}

/** Each refund has its amount before it leaves, and keeps it until it is done: a key stands for one amount. */
function beginReturn(before: CartState, attempt: number): CartState {
  const funding = fundingOf(before, attempt)
  // guard one-amount-a-refund: a refund that may have left is sent again with the amount that it left with
  if (funding === null || funding.returning_amount > 0n) return before
  const effect = effectOf(before, 'refund', attempt)
  const state = effect?.state === 'done' ? underNewKey(before, effect, { answer: null }) : before
  return changeFunding(state, attempt, { returning_amount: keptOf(funding) - owedBehind(state, attempt) })
}
