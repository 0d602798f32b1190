import type { Stripe } from 'stripe'
import { integer, text } from '../fields.ts'
import { type Answer, json, type Route } from '../json-server.ts'
import { type AccountLink, type ConnectedAccount, type Fact, type Memory, nowOf } from './memory.ts'
import { StripeError } from './stripe-error.ts'
import { type Asked, newId, type Operations, page, seconds } from './work.ts'

/** Stripe says that a link ends after a few minutes. */
const linkMs = 5 * 60_000

/** Whose Dashboard, fees and losses they are: Stripe asks for all of it, or for none. */
const controller = [
  'controller[fees][payer]',
  'controller[losses][payments]',
  'controller[requirement_collection]',
  'controller[stripe_dashboard][type]',
]

/** Accounts that are paid by the charges of another one, and the links by which their people tell Stripe who they are. */
export const connectedAccountOperations: Operations = [
  {
    method: 'POST',
    path: '/v1/accounts',
    operation: 'create_account',
    work(asked) {
      const { form, nowMs } = asked
      for (const field of controller) form.required(field)
      for (const capability of ['card_payments', 'transfers'])
        form.flag(`capabilities[${capability}][requested]`)
      const value: ConnectedAccount = {
        id: newId('acct'),
        country: form.text('country') ?? 'US',
        metadata: form.group('metadata'),
        charges_enabled: false,
        payouts_enabled: false,
        requirements_due: ['business_type', 'external_account', 'tos_acceptance.date'],
        created_ms: nowMs,
      }
      return { body: renderAccount(value), facts: [{ kind: 'connected', value }] }
    },
  },
  {
    method: 'GET',
    path: '/v1/accounts',
    operation: 'list_accounts',
    work: (asked) => ({ body: page(asked, asked.memory.connected.values(), renderAccount) }),
  },
  {
    method: 'GET',
    path: '/v1/accounts/:id',
    operation: 'read_connected',
    work: (asked) => ({ body: renderAccount(connectedIn(asked, asked.call.params.id ?? '')) }),
  },
  {
    method: 'POST',
    path: '/v1/account_links',
    operation: 'create_account_link',
    work(asked) {
      const { form, nowMs, pagesUrl } = asked
      const { id: account } = connectedIn(asked, form.required('account'))
      form.oneOf('type', ['account_onboarding'])
      const value: AccountLink = {
        id: newId('link'),
        account,
        return_url: form.required('return_url'),
        refresh_url: form.required('refresh_url'),
        expires_ms: nowMs + linkMs,
        is_used: false,
      }
      const body: Stripe.AccountLink = {
        object: 'account_link',
        created: seconds(nowMs),
        expires_at: seconds(value.expires_ms),
        url: `${pagesUrl}/connect/${value.id}`,
      }
      return { body, facts: [{ kind: 'account_link', value }] }
    },
  },
]

/** To an account of others, and to one that does not exist, the answer is the same. */
function connectedIn({ memory }: Asked, id: string): ConnectedAccount {
  const found = memory.connected.get(id)
  if (found !== undefined) return found
  throw new StripeError(403, {
    code: 'account_invalid',
    message: `The provided key does not have access to account '${id}' (or that account does not exist).`,
  })
}

function renderAccount(account: ConnectedAccount): Stripe.Account {
  const { id, country, metadata, charges_enabled, payouts_enabled, requirements_due, created_ms } = account
  const state = charges_enabled ? 'active' : 'inactive'
  return {
    id,
    object: 'account',
    capabilities: { card_payments: state, transfers: state },
    charges_enabled,
    country,
    created: seconds(created_ms),
    default_currency: 'usd',
    details_submitted: requirements_due.length === 0,
    email: null,
    metadata,
    payouts_enabled,
    requirements: {
      alternatives: [],
      current_deadline: null,
      currently_due: requirements_due,
      disabled_reason: charges_enabled ? null : 'requirements.past_due',
      errors: [],
      eventually_due: requirements_due,
      past_due: [],
      pending_verification: [],
    },
    type: 'express',
  }
}

/** The page on which the people of an account tell Stripe who they are, or come back later. A link opens once. */
export function onboardingPages(memory: Memory, commit: (...facts: readonly Fact[]) => void): Route[] {
  return [
    {
      method: 'GET',
      path: '/connect/:id',
      handle({ params: { id = '' } }) {
        const link = memory.accountLinks.get(id)
        if (link === undefined) return html(404, '<p>There is no such page.</p>')
        if (link.is_used || nowOf(memory) >= link.expires_ms) return sentTo(link.refresh_url)
        commit({ kind: 'account_link', value: { ...link, is_used: true } })
        const forms = ['complete', 'later'].map(
          (way) => `<form method="post" action="/connect/${id}/${way}"><button>${way}</button></form>`,
        )
        return html(200, forms.join(''))
      },
    },
    {
      method: 'POST',
      path: '/connect/:id/:way',
      handle({ params: { id = '', way } }) {
        const link = memory.accountLinks.get(id)
        const account = memory.connected.get(link?.account ?? '')
        if (link === undefined || account === undefined) return html(404, '<p>There is no such page.</p>')
        const done = { charges_enabled: true, payouts_enabled: true, requirements_due: [] }
        if (way === 'complete') commit({ kind: 'connected', value: { ...account, ...done } })
        return sentTo(link.return_url)
      },
    },
    {
      method: 'POST',
      path: '/control/connected_accounts',
      isControl: true,
      handle(call) {
        const body = call.body()
        const account = memory.connected.get(text(body, 'id'))
        if (account === undefined) return json(404, {})
        const isCharged = integer(body, 'charges', { min: 0, max: 1 }) === 1
        const requirements_due = isCharged ? [] : ['individual.verification.document']
        commit({ kind: 'connected', value: { ...account, charges_enabled: isCharged, requirements_due } })
        return json(200, { id: account.id, charges_enabled: isCharged })
      },
    },
  ]
}

function sentTo(location: string): Answer {
  return { kind: 'json', status: 303, body: {}, headers: { location } }
}

function html(status: number, body: string): Answer {
  return { kind: 'raw', status, type: 'text/html; charset=utf-8', chunks: [`<!doctype html>${body}`] }
}
