import type { Stripe } from 'stripe'
import type { AccountState, PayoutAccounts } from '../../domain/selling/payouts/port.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import { isRecord } from '../../platform/egress/peer-json.ts'
import { errorOf, keyField } from './payment-intent.ts'
import type { StripeAccount } from './stripe.ts'
import { openStripeApi, type StripeAnswer } from './stripe-api.ts'

const away = { kind: 'away' } as const
const unknown = { kind: 'unknown_account' } as const

/**
 * Accounts that Stripe opens for merchants below the account of the operator, who charges for them: its fees and losses are the operator's,
 * and Stripe asks the merchant who they are.
 */
const wanted = {
  controller: {
    fees: { payer: 'application' },
    losses: { payments: 'application' },
    requirement_collection: 'stripe',
    stripe_dashboard: { type: 'express' },
  },
  capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
} as const satisfies Stripe.AccountCreateParams

/** Live mode's account of the operator, as the one that pays merchants. */
export function stripePayoutAccounts({
  egress,
  ...account
}: StripeAccount & { readonly egress: Egress }): PayoutAccounts {
  const api = openStripeApi({ ...account, egress })
  return {
    modes: ['live'],
    async open({ key, country }, call) {
      const params = {
        ...wanted,
        ...(country === null ? {} : { country }),
        metadata: { [keyField]: key },
      }
      const said = await api.send((stripe, options) => stripe.accounts.create(params, options), call, key)
      if (said.kind !== 'answer' || said.status !== 200 || typeof said.body.id !== 'string') return away
      return { kind: 'opened', id: said.body.id }
    },
    async link({ account: id, returnUrl, refreshUrl }, call) {
      const params: Stripe.AccountLinkCreateParams = {
        account: id,
        type: 'account_onboarding',
        return_url: returnUrl,
        refresh_url: refreshUrl,
      }
      const said = await api.send((stripe, options) => stripe.accountLinks.create(params, options), call)
      if (isUnknown(said)) return unknown
      if (said.kind !== 'answer' || said.status !== 200) return away
      const { url, expires_at: ends } = said.body
      if (typeof url !== 'string' || typeof ends !== 'number') return away
      return { kind: 'linked', url, expiresAt: new Date(ends * 1000) }
    },
    async read(id, call) {
      const said = await api.send((stripe, options) => stripe.accounts.retrieve(id, {}, options), call)
      if (isUnknown(said)) return unknown
      if (said.kind !== 'answer' || said.status !== 200) return away
      return { kind: 'read', state: stateIn(said.body) }
    },
  }
}

/** A key that lacks a permission is told so by other codes: that says nothing about an account. */
function isUnknown(said: StripeAnswer): boolean {
  if (said.kind !== 'answer') return false
  const { code } = errorOf(said)
  return code === 'account_invalid' || (said.status === 404 && code === 'resource_missing')
}

/** What is charged reaches the account by a transfer, so it needs that capability too. */
function stateIn(body: Readonly<Record<string, unknown>>): AccountState {
  const { charges_enabled: charges, payouts_enabled: payouts, capabilities, requirements } = body
  const transfers = isRecord(capabilities) ? capabilities.transfers : undefined
  return {
    chargesEnabled: charges === true && transfers === 'active',
    payoutsEnabled: payouts === true,
    requirementsDue: isRecord(requirements) ? dueIn(requirements) : [],
  }
}

function dueIn({ currently_due: due, past_due: late }: Readonly<Record<string, unknown>>): string[] {
  const texts = [due, late].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : [])) // whatever it is of
  return [...new Set(texts.filter((one) => typeof one === 'string'))].sort()
}
