import { after } from '../../../../core/backoff.ts'
import { atStage, failureOf, stageOf } from '../../intents/public.ts'
import { type RailObject, timing } from '../../rails/public.ts'
import { type CartState, changeCart, effectOf, holdOf, railOf, type Turn, withWrite } from '../cart-state.ts'
import { failCart } from '../end-cart.ts'
import { pace } from '../step.ts'
import { isFunded } from './funding.ts'

/**
 * What has to be done before the number of a card may be typed that spends a balance of the operator's; null: nothing, or nothing any more.
 * The balance is read and the card is known here: a shop is never shown a card that would be declined for want of money.
 */
export function beforeCard(state: CartState): Turn | null {
  const { attempt_number: attempt } = state.cart
  const hold = holdOf(state, attempt)
  if (hold === null || !isFunded(state, attempt) || effectOf(state, 'place', attempt) !== null) return null
  const { funds, card: verdict } = state.known
  const { currency } = hold
  if (funds === undefined) {
    const call = { kind: 'funds', attempt, currency, rail: railOf(state, attempt), at: state.now } as const
    return { state, next: { kind: 'call', call: { ...call, longestCallMs: timing.longestCallMs } } }
  }
  const { amount, readAt } = funds
  if (verdict === 'opened') return null
  if (amount === null || verdict !== undefined) return waitForFunds(state)
  const card = { reference: hold.reference, attempt, limit: hold.amount, currency }
  return { state, next: { kind: 'command', command: { kind: 'open_card', card, funds: { amount, readAt } } } }
}

/** It is nobody's fault at the shop: no try is used, and the operator may pay in. */
function waitForFunds(state: CartState): Turn {
  const { now, cart } = state
  const stage = stageOf(cart)
  const next = { kind: 'rest', until: after(now, pace.fundsSeconds) } as const
  if (stage.kind !== 'rail') return { state: changeCart(state, atStage({ kind: 'rail', since: now })), next }
  // guard funds-are-not-waited-for-ever: a purchase that no balance covers ends, and its buyer's money is let go
  if (now < after(stage.since, pace.patienceSeconds)) return { state, next }
  return { state: failCart(state, failureOf('internal_error', { retry_policy: 'later' })) }
}

/** Before its rail is told to end it: between the two nobody is allowed anything. */
export function closeCard(state: CartState, attempt: number): CartState {
  const hold = holdOf(state, attempt)
  return hold !== null && isFunded(state, attempt)
    ? withWrite(state, { kind: 'close_card', reference: hold.reference })
    : state
}

/** What was allowed on a card is compared with our own answers before anything else follows. */
export function withCharges(state: CartState, { charges = [] }: Pick<RailObject, 'charges'>): CartState {
  return charges.length === 0 ? state : { ...state, known: { ...state.known, charges } }
}
