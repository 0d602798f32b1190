import { changeHold, holdOf, isCharge } from '../cart-state.ts'
import { moneyOf, nothing, type RailEffect, settle } from './effect.ts'

/** Gives back what was captured without a purchase. */
export const refund: RailEffect<'refund'> = {
  money: 'returns',
  make: (rail, input, call) => rail.refund(input, call),
  request(state, attempt) {
    const hold = holdOf(state, attempt)
    if (!hold) throw new Error('a refund of nothing')
    return { ...nothing, amount: hold.captured_amount, currency: hold.currency }
  },
  input(state, effect) {
    const reference = holdOf(state, effect.attempt)?.capture_reference
    if (!reference) throw new Error('a refund of a capture that the rail has not named')
    return { key: effect.key, reference, ...moneyOf(effect) }
  },
  isOwed(state, hold) {
    // guard refund-before-a-retry: money that was charged for no order goes back
    return hold.status === 'captured' && !isCharge(state, hold)
  },
  done(state, effect, { reference, amount }) {
    const settled = settle(state, effect, 'done', { kind: 'refunded', reference, amount })
    return changeHold(settled, effect.attempt, { status: 'refunded' })
  },
}
