import { type CartState, effectOf, holdOf, isCharge, railOf, wayOf } from '../cart-state.ts'
import { costOf, type FundingRow } from '../journal.ts'

/** Whether the card of a new attempt spends money of the operator's, so that the buyer's own card is held first. */
export function isPrefunded(state: CartState): boolean {
  const rail = railOf(state, state.cart.attempt_number)
  return wayOf(state).form === 'card' && rail !== null && state.means.prefunded.includes(rail)
}

/** Whether the buyer's own card is held for an attempt, behind a card that is issued for it. */
export function isFunded(state: CartState, attempt: number): boolean {
  return effectOf(state, 'authorize', attempt)?.request.behind === 'card'
}

export function fundingOf({ fundings }: CartState, attempt: number): FundingRow | null {
  return fundings.find((funding) => funding.attempt === attempt) ?? null
}

export function withFunding(state: CartState, funding: FundingRow): CartState {
  return { ...state, fundings: [...state.fundings, funding] }
}

export function changeFunding(state: CartState, attempt: number, changes: Partial<FundingRow>): CartState {
  const fundings = state.fundings.map((funding) =>
    funding.attempt === attempt ? { ...funding, ...changes, updated_at: state.now } : funding,
  )
  return { ...state, fundings }
}

/** What the buyer owes for an issued card: what its merchant has taken, or may take, and has not given back. */
export function owedBehind(state: CartState, attempt: number): bigint {
  const card = holdOf(state, attempt)
  // What a merchant takes of a card for no purchase is not its buyer's.
  if (card === null || !isCharge(state, card)) return 0n
  const owed = costOf(card) - card.refunded_amount
  return owed > 0n ? owed : 0n
}

/** What of a funding the buyer has paid and not got back. */
export function keptOf({ captured_amount, returned_amount }: FundingRow): bigint {
  return captured_amount - returned_amount
}
