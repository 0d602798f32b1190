import { lifetimes } from '../lifetimes.ts'
import type { RailEffect } from './effect.ts'
import { held, holdRequest, holdTerms } from './hold.ts'

/** Holds the money of an offer at the buyer's card; we capture it once the order is confirmed. */
export const authorize: RailEffect = {
  point: 'authorize',
  method: 'authorize',
  takesMoney: true,
  request: (state) => holdRequest(state, lifetimes.authorizationDays * 86_400),
  call(state, effect, card) {
    const { terms, amount } = holdTerms(state, effect, card)
    return { step: 'authorize', input: { ...terms, amount } }
  },
  done: (state, effect, object) => held(state, effect, { kind: 'authorization', object }),
}
