import { after } from '../../../../core/backoff.ts'
import { type CartState, effectOf, railOf, wayOf } from '../cart-state.ts'
import { isFunded } from '../funding/funding.ts'
import { lifetimes } from '../lifetimes.ts'
import type { RailEffect } from './effect.ts'
import { held, holdRequest, holdTerms } from './hold.ts'

/** A card of a wallet is good for as long as the wallet says. */
function secondsIssued(state: CartState): number {
  const rail = railOf(state, state.cart.attempt_number)
  const wallet = rail === null ? undefined : state.means.wallets[rail]
  return wallet?.cardSeconds ?? lifetimes.credentialHours * 3600
}

/** Makes a credential of the rail that one merchant can charge once, at most the offer's total. */
export const issueCredential: RailEffect<'issue_credential'> = {
  money: 'holds',
  make: (rail, input, call) => rail.issueCredential(input, call),
  request(state, attempt) {
    const behind = isFunded(state, attempt) ? effectOf(state, 'authorize', attempt) : null
    if (behind !== null) {
      const { behind: _, ...request } = behind.request
      // The offer is kept with the money that is held for it.
      return {
        ...request,
        offer: null,
        expires_at: after(state.now, secondsIssued(state)).toISOString(),
        form: 'card',
      }
    }
    const request = holdRequest(state, secondsIssued(state))
    return wayOf(state).form === 'card' ? { ...request, form: 'card' } : request
  },
  input(state, effect, card) {
    const { terms, amount, expiresAt, offer } = holdTerms(state, effect, card)
    return {
      ...terms,
      limit: amount,
      expiresAt,
      ...(effect.request.form === 'card' ? { vaultOf: state.tenant.accountId } : {}),
      ...(offer?.seller === undefined ? {} : { seller: offer.seller }),
    }
  },
  done: (state, effect, object) => held(state, effect, { kind: 'credential', object }),
}
