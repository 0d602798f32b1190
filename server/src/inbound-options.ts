import { answerCardRequest, type CardAnswer } from './domain/buying/card-authorizations/public.ts'
import { takeRailEvent } from './domain/buying/disputes/public.ts'
import type { Parts } from './parts.ts'
import type { Secret } from './platform/secrets/secret.ts'
import { type AuthorizationSecrets, readAuthorizationRequest } from './rails/stripe/authorization-request.ts'
import { readMessage } from './rails/stripe/events.ts'
import { apiVersion } from './rails/stripe/stripe-api.ts'
import type { CardAuthorizations, ChargeAnswer } from './surfaces/inbound/card-authorizations.ts'
import type { RailEvents } from './surfaces/inbound/rail-events.ts'

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

/** The operator's account of live mode, and what proves that Stripe tells of it. */
export type StripeWebhook = { readonly account: string; readonly secret: Secret }

/** What Stripe tells of the operator's account; null: it tells nothing here. */
export function stripeEvents(parts: Parts, webhook: StripeWebhook | null): RailEvents | null {
  if (webhook === null) return null
  return {
    path: '/inbound/stripe/{account}',
    signedBy: 'stripe-signature',
    async take(account, message) {
      if (account !== webhook.account) return 'unknown_account'
      const read = readMessage(webhook.secret, 'live', { ...message, nowMs: Date.now() })
      if (read.kind !== 'event') return read.kind
      const taken = await takeRailEvent(parts, { mode: 'live', rail: 'stripe', event: read.event })
      return taken === 'too_early' || taken === 'foreign' ? taken : 'taken'
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
