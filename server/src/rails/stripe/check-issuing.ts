import type { Stripe } from 'stripe'
import { formatMoney } from '../../core/money.ts'
import type { Call } from '../../domain/buying/rails/port.ts'
import { isRecord } from '../../platform/egress/peer-json.ts'
import type { Finding } from './check-account.ts'
import { fromStripe } from './currencies.ts'
import { errorOf } from './payment-intent.ts'
import type { StripeAnswer, StripeApi } from './stripe-api.ts'

/** What live mode lacks for buying at pages, as far as Stripe shows it. `cardholder` null: no cards are issued. */
export async function checkIssuing(
  api: StripeApi,
  { cardholder, isAnswering }: { cardholder: string | null; isAnswering: boolean },
  call: Call,
): Promise<readonly Finding[]> {
  if (cardholder === null)
    return [
      {
        what: 'pages',
        state: 'ok',
        says: 'Live mode buys at no pages: PROKURA_STRIPE_CARDHOLDER is not set, so no cards are issued.',
      },
    ]
  const [holder, balance, ...lists] = await Promise.all([
    api.send((stripe, options) => stripe.issuing.cardholders.retrieve(cardholder, {}, options), call),
    api.send((stripe, options) => stripe.balance.retrieve({}, options), call),
    ...reads.map(({ read }) => api.send(read, call)),
  ])
  return [
    aboutHolder(cardholder, holder),
    ...reads.map(({ permission }, index) => aboutPermission(permission, lists[index])),
    aboutBalance(balance),
    isAnswering
      ? { what: 'charges of cards', state: 'ok', says: 'PROKURA_STRIPE_AUTHORIZATIONS_SECRET is set.' }
      : {
          what: 'charges of cards',
          state: 'lacks',
          says: 'Set PROKURA_STRIPE_AUTHORIZATIONS_SECRET: without it Stripe gets no answer about a charge, and shops are declined.',
        },
    {
      what: 'PCI',
      state: 'unknown',
      says: 'Your vault and your browser handle the numbers of issued cards, which SAQ A does not cover. Ask your assessor before you buy at pages.',
    },
  ]
}

const reads: readonly {
  readonly permission: string
  read(stripe: Stripe, options: Stripe.RequestOptions): Promise<object>
}[] = [
  {
    permission: 'Issuing Cards',
    read: (stripe, options) => stripe.issuing.cards.list({ limit: 1 }, options),
  },
  {
    permission: 'Issuing Authorizations',
    read: (stripe, options) => stripe.issuing.authorizations.list({ limit: 1 }, options),
  },
  {
    permission: 'Issuing Transactions',
    read: (stripe, options) => stripe.issuing.transactions.list({ limit: 1 }, options),
  },
]

function aboutHolder(cardholder: string, said: StripeAnswer | undefined): Finding {
  const what = 'cardholder'
  if (said?.kind !== 'answer') return { what, state: 'unknown', says: 'Stripe did not answer. Try again.' }
  if (said.status === 404)
    return {
      what,
      state: 'lacks',
      says: `Stripe knows no cardholder ${cardholder}. Set PROKURA_STRIPE_CARDHOLDER to one of yours.`,
    }
  if (said.status !== 200) return refusedTo(what, 'Issuing Cardholders', said)
  const { status, phone_number: phone } = said.body
  if (status !== 'active')
    return {
      what,
      state: 'lacks',
      says: `${cardholder} is ${String(status)}. Cards are issued to one that is active.`,
    }
  if (typeof phone !== 'string' || phone === '')
    return {
      what,
      state: 'lacks',
      says: `${cardholder} has no phone number, which banks ask for. Add one in the Dashboard.`,
    }
  return { what, state: 'ok', says: `${cardholder} is active.` }
}

function aboutPermission(permission: string, said: StripeAnswer | undefined): Finding {
  const what = `key: ${permission}`
  if (said?.kind !== 'answer') return { what, state: 'unknown', says: 'Stripe did not answer. Try again.' }
  return said.status === 200
    ? { what, state: 'ok', says: 'The key may read them. Writing is tried by the first use.' }
    : refusedTo(what, permission, said)
}

function aboutBalance(said: StripeAnswer | undefined): Finding {
  const what = 'money for cards'
  if (said?.kind !== 'answer') return { what, state: 'unknown', says: 'Stripe did not answer. Try again.' }
  if (said.status !== 200) return refusedTo(what, 'Balance', said)
  const issuing: unknown = said.body.issuing
  const available: unknown = isRecord(issuing) ? issuing.available : null
  const sums = Array.isArray(available) ? available.flatMap(sumOf) : []
  return sums.length > 0
    ? { what, state: 'ok', says: `${sums.join(', ')} can be spent by cards.` }
    : {
        what,
        state: 'lacks',
        says: 'Cards can spend nothing. Pay in to the Issuing balance in the Dashboard.',
      }
}

function sumOf(one: unknown): string[] {
  if (!isRecord(one) || typeof one.currency !== 'string') return []
  const currency = one.currency.toUpperCase()
  const amount = fromStripe(one.amount, currency)
  return amount !== null && amount > 0n ? [formatMoney(amount, currency)] : []
}

function refusedTo(
  what: string,
  permission: string,
  said: Extract<StripeAnswer, { kind: 'answer' }>,
): Finding {
  return said.status === 401 || said.status === 403
    ? {
        what,
        state: 'lacks',
        says: `The key may not use ${permission}. Edit it in the Dashboard (Developers, API keys): ${permission}, write.`,
      }
    : {
        what,
        state: 'unknown',
        says: `Stripe answered ${said.status}: ${String(errorOf(said).code ?? 'no code')}.`,
      }
}
