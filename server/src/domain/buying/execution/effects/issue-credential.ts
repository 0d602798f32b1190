import { wayOf } from '../cart-state.ts'
import { lifetimes } from '../lifetimes.ts'
import type { RailEffect } from './effect.ts'
import { held, holdRequest, holdTerms } from './hold.ts'

/** Makes a credential of the rail that one merchant can charge once, at most the offer's total. */
export const issueCredential: RailEffect<'issue_credential'> = {
  money: 'holds',
  make: (rail, input, call) => rail.issueCredential(input, call),
  request(state) {
    const request = holdRequest(state, lifetimes.credentialHours * 3600)
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
