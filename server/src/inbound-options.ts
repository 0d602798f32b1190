import { answerCardRequest, type CardAnswer } from './domain/buying/card-authorizations/public.ts'
import type { Parts } from './parts.ts'
import { type AuthorizationSecrets, readAuthorizationRequest } from './rails/stripe/authorization-request.ts'
import { apiVersion } from './rails/stripe/stripe-api.ts'
import type { CardAuthorizations, ChargeAnswer } from './surfaces/inbound/card-authorizations.ts'

/** What Stripe is told when it asks about charges of issued cards; null: no account there asks. */
export function stripeAuthorizations(parts: Parts, secrets: AuthorizationSecrets): CardAuthorizations | null {
  if (secrets.test === undefined && secrets.live === undefined) return null
  return {
    path: '/inbound/stripe/authorizations',
    signedBy: 'stripe-signature',
    headers: { 'stripe-version': apiVersion },
    async answer(message, isLate) {
      const asked = readAuthorizationRequest(secrets, { ...message, nowMs: Date.now() })
      if (asked.kind === 'unsigned') return 'unsigned'
      if (asked.kind === 'odd') return { approved: false, metadata: { reason: 'not_understood' } }
      return said(await answerCardRequest(parts, asked.request, isLate))
    },
  }
}

function said(answer: CardAnswer): ChargeAnswer {
  switch (answer.kind) {
    case 'approved':
      return { approved: true, metadata: { cart: answer.cart } }
    case 'declined':
      return { approved: false, metadata: { cart: answer.cart, reason: answer.reason } }
    case 'card_unknown':
      return { approved: false, metadata: { reason: answer.kind } }
    default:
      return answer satisfies never
  }
}
