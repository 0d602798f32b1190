import type { CartState } from '../cart-state.ts'
import { isFunded, isPrefunded, withFunding } from '../funding/funding.ts'
import { lifetimes } from '../lifetimes.ts'
import { type RailEffect, settle } from './effect.ts'
import { announceHeld, endOf, held, holdRequest, holdTerms } from './hold.ts'

function secondsHeld({ tenant }: CartState): number {
  const { authorizationDays, liveAuthorizationHours } = lifetimes
  return tenant.mode === 'live' ? liveAuthorizationHours * 3_600 : authorizationDays * 86_400
}

/**
 * Holds the money of an offer at the buyer's card. We capture it once the order is confirmed; or, where it stands behind a card that is
 * issued for the merchant, what that merchant has taken.
 */
export const authorize: RailEffect<'authorize'> = {
  money: 'holds',
  make: (rail, input, call) => rail.authorize(input, call),
  request(state) {
    const request = holdRequest(state, secondsHeld(state))
    return isPrefunded(state) ? { ...request, behind: 'card' } : request
  },
  input(state, effect, card) {
    const { terms, amount } = holdTerms(state, effect, card)
    return { ...terms, amount }
  },
  done(state, effect, object) {
    if (!isFunded(state, effect.attempt)) return held(state, effect, { kind: 'authorization', object })
    if (effect.rail === null) throw new Error('money is held behind a card at a rail without a name')
    const { reference } = object
    const settled = settle(state, effect, 'done', { kind: 'held', reference })
    const { cart, intent, now } = settled
    const funded = withFunding(settled, {
      cart_id: cart.id,
      attempt: effect.attempt,
      intent_id: intent.id,
      rail: effect.rail,
      reference,
      amount: object.amount,
      currency: object.currency,
      status:
        object.status === 'captured' ? 'captured' : object.status === 'authorized' ? 'authorized' : 'voided',
      captured_amount: object.status === 'captured' ? object.capturedAmount : 0n,
      capture_reference: object.captureReference,
      returned_amount: 0n,
      returning_amount: 0n,
      expires_at: endOf(settled, effect, object),
      created_at: now,
      updated_at: now,
    })
    return announceHeld(funded, effect)
  },
}
