import type { Stripe } from 'stripe'
import type { Call } from '../../domain/buying/rails/port.ts'
import { errorOf } from './payment-intent.ts'
import type { StripeAnswer, StripeApi } from './stripe-api.ts'

/** `lacks`: live mode does not work without it. `waits`: it does, but for one merchant. `unknown`: it could not be found out. */
export type Finding = {
  readonly what: string
  readonly state: 'ok' | 'lacks' | 'waits' | 'unknown'
  /** What is known, and where it lacks, what to do. */
  readonly says: string
}

type Probe = {
  readonly permission: string
  /** More than reading is needed, unless it says so. */
  readonly isOnlyRead?: boolean
  read(stripe: Stripe, options: Stripe.RequestOptions): Promise<object>
}

/** What the key must be allowed, each by a question that changes nothing: writing is allowed where reading is, or the operator says so. */
const probes: readonly Probe[] = [
  { permission: 'Customers', read: (stripe, options) => stripe.customers.list({ limit: 1 }, options) },
  { permission: 'SetupIntents', read: (stripe, options) => stripe.setupIntents.list({ limit: 1 }, options) },
  {
    permission: 'PaymentIntents',
    read: (stripe, options) => stripe.paymentIntents.list({ limit: 1 }, options),
  },
  {
    permission: 'Charges and Refunds',
    read: (stripe, options) => stripe.refunds.list({ limit: 1 }, options),
  },
  {
    permission: 'Connect accounts',
    read: (stripe, options) => stripe.accounts.list({ limit: 1 }, options),
  },
  {
    permission: 'Balance',
    isOnlyRead: true,
    read: (stripe, options) => stripe.balanceTransactions.list({ limit: 1 }, options),
  },
  { permission: 'Transfers', read: (stripe, options) => stripe.transfers.list({ limit: 1 }, options) },
  { permission: 'Disputes', read: (stripe, options) => stripe.disputes.list({ limit: 1 }, options) },
  { permission: 'Events', read: (stripe, options) => stripe.events.list({ limit: 1 }, options) },
]

/** Reads the account as its key sees it, and says what live mode lacks. Nothing is changed there. */
export async function checkAccount(api: StripeApi, call: Call): Promise<readonly Finding[]> {
  const account = await api.send((stripe, options) => stripe.accounts.retrieveCurrent({}, options), call)
  if (!isAnswer(account))
    return [
      {
        what: 'Stripe',
        state: 'unknown',
        says: 'It does not answer. Try again, and look at status.stripe.com.',
      },
    ]
  if (account.status === 401)
    return [
      {
        what: 'key',
        state: 'lacks',
        says: 'Stripe does not know PROKURA_STRIPE_SECRET_KEY. Make a key in the Dashboard (Developers, API keys), and set it.',
      },
    ]
  const permissions = await Promise.all(
    probes.map(async (probe) => findingOf(probe, await api.send(probe.read, call))),
  )
  return [...aboutAccount(account), ...permissions]
}

type Answered = Extract<StripeAnswer, { kind: 'answer' }>

function isAnswer(said: StripeAnswer): said is Answered {
  return said.kind === 'answer'
}

function aboutAccount(account: Answered): Finding[] {
  if (account.status !== 200)
    return [
      {
        what: 'account',
        state: 'unknown',
        says: 'The key may not read its account, so whether it may charge is not known. Look at the Dashboard, or allow the key to read it.',
      },
    ]
  const { id, charges_enabled: charges, country, default_currency: currency } = account.body
  return [
    {
      what: 'account',
      state: 'ok',
      says: `${String(id)}, ${String(country)}, ${String(currency).toUpperCase()}`,
    },
    charges === true
      ? { what: 'charges', state: 'ok', says: 'The account may charge cards.' }
      : {
          what: 'charges',
          state: 'lacks',
          says: 'Stripe does not let the account charge cards yet. Finish what the Dashboard asks for.',
        },
  ]
}

function findingOf({ permission, isOnlyRead = false }: Probe, said: StripeAnswer): Finding {
  const what = `key: ${permission}`
  if (!isAnswer(said)) return { what, state: 'unknown', says: 'Stripe did not answer. Try again.' }
  if (said.status === 200)
    return {
      what,
      state: 'ok',
      says: isOnlyRead ? 'The key may read it.' : 'The key may read them. Writing is tried by the first use.',
    }
  if (said.status === 401 || said.status === 403)
    return {
      what,
      state: 'lacks',
      says: `The key may not use ${permission}. Edit it in the Dashboard (Developers, API keys): ${permission}, ${isOnlyRead ? 'read' : 'write'}.`,
    }
  return {
    what,
    state: 'unknown',
    says: `Stripe answered ${said.status}: ${String(errorOf(said).code ?? 'no code')}.`,
  }
}
