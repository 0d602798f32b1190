import type { CartState } from '../cart-state.ts'
import { lifetimes } from '../lifetimes.ts'
import type { RailEffect } from './effect.ts'
import { held, holdRequest, holdTerms } from './hold.ts'

function secondsHeld({ tenant }: CartState): number {
  const { authorizationDays, liveAuthorizationHours } = lifetimes
  return tenant.mode === 'live' ? liveAuthorizationHours * 3_600 : authorizationDays * 86_400
}

/** Holds the money of an offer at the buyer's card; we capture it once the order is confirmed. */
export const authorize: RailEffect<'authorize'> = {
  money: 'holds',
  make: (rail, input, call) => rail.authorize(input, call),
  request: (state) => holdRequest(state, secondsHeld(state)),
  input(state, effect, card) {
    const { terms, amount } = holdTerms(state, effect, card)
    return { ...terms, amount }
  },
  done: (state, effect, object) => held(state, effect, { kind: 'authorization', object }),
}
