import { after } from '../../../../core/backoff.ts'
import { effectOf, wayOf } from '../cart-state.ts'
import { isFunded } from '../funding/funding.ts'
import { lifetimes } from '../lifetimes.ts'
import type { RailEffect } from './effect.ts'
import { held, holdRequest, holdTerms } from './hold.ts'

const secondsIssued = lifetimes.credentialHours * 3600

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
        expires_at: after(state.now, secondsIssued).toISOString(),
        form: 'card',
      }
    }
    const request = holdRequest(state, secondsIssued)
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
