import type { Stripe } from 'stripe'

export type Cardholder = {
  id: string
  name: string
  email: string | null
  phone_number: string | null
  type: 'company' | 'individual'
  address: Record<string, string>
  metadata: Record<string, string>
  created_ms: number
}

export type IssuedCard = {
  id: string
  cardholder: string
  currency: string
  number: string
  cvc: string
  exp_month: number
  exp_year: number
  status: 'active' | 'inactive' | 'canceled'
  /** What all its authorizations may come to; null: there is no limit. */
  limit: number | null
  /** Null: all are. */
  allowed_countries: string[] | null
  allowed_categories: string[] | null
  metadata: Record<string, string>
  is_live: boolean
  created_ms: number
}

/** Who charges a card, as its network names them. */
export type Merchant = { name: string; network_id: string; country: string; category: string; url: string }

type Reason = Stripe.Issuing.Authorization.RequestHistory['reason']

/** What a merchant has asked of a card at one time, and the answer. */
type DecidedRequest = { amount: number; approved: boolean; reason: Reason; created_ms: number }

export type CardAuthorization = {
  id: string
  card: string
  currency: string
  merchant: Merchant
  approved: boolean
  status: 'pending' | 'closed' | 'reversed'
  /** What was authorized and not reversed. */
  amount: number
  captured: number
  history: DecidedRequest[]
  /** What is asked of the account at this moment; null: nothing. */
  asked: number | null
  metadata: Record<string, string>
  created_ms: number
}

export type CardTransaction = {
  id: string
  type: 'capture' | 'refund'
  card: string
  /** Null: its merchant has asked nobody. */
  authorization: string | null
  /** The capture that is given back. */
  refund_of: string | null
  amount: number
  currency: string
  merchant: Merchant
  created_ms: number
}

/** What the account has set in its Dashboard. */
export type IssuingSettings = {
  /** Who decides authorizations; null: Stripe alone does. */
  endpoint: string | null
  secret: string
  /** What becomes of an authorization that nobody has answered. */
  fallback: 'approve' | 'decline'
  answer_within_ms: number
}

/** What was answered to a merchant's key; null: it was closed before anything was asked by it. */
type KeptCharge = { status: number; answer: unknown } | null

export type IssuingMemory = {
  cardholders: Map<string, Cardholder>
  cards: Map<string, IssuedCard>
  /** Ids, by numbers. */
  cardNumbers: Map<string, string>
  authorizations: Map<string, CardAuthorization>
  transactions: Map<string, CardTransaction>
  charges: Map<string, KeptCharge>
  /** What was paid into the balance, by currency: cards are issued in these. */
  funds: Map<string, number>
  settings: IssuingSettings
  /** Those that the account is asked about. They end with the process, and nothing is held. */
  asking: Map<string, CardAuthorization>
  /** Calls of merchants that are under way, by their keys. */
  underWay: Map<string, Promise<{ status: number; answer: unknown }>>
}

export type IssuingFact =
  | { kind: 'cardholder'; value: Cardholder }
  | { kind: 'card'; value: IssuedCard }
  | { kind: 'authorization'; value: CardAuthorization }
  | { kind: 'transaction'; value: CardTransaction }
  | { kind: 'charge'; key: string; value: KeptCharge }
  | { kind: 'funds'; currency: string; amount: number }
  | { kind: 'settings'; value: IssuingSettings }

/** The holder of cards whose account has none of its own. */
const operator: Cardholder = {
  id: 'ich_sandbox',
  name: 'Prokura Operations',
  email: null,
  phone_number: '+14155550100',
  type: 'company',
  address: { line1: '1 Main Street', city: 'Austin', state: 'TX', country: 'US', postal_code: '78701' },
  metadata: {},
  created_ms: 0,
}

export function emptyIssuing(): IssuingMemory {
  return {
    cardholders: new Map([[operator.id, operator]]),
    cards: new Map(),
    cardNumbers: new Map(),
    authorizations: new Map(),
    transactions: new Map(),
    charges: new Map(),
    funds: new Map(['usd', 'eur', 'gbp'].map((currency) => [currency, 100_000_000])),
    settings: { endpoint: null, secret: '', fallback: 'decline', answer_within_ms: 2_000 },
    asking: new Map(),
    underWay: new Map(),
  }
}

export function rememberIssuing(issuing: IssuingMemory, fact: IssuingFact): void {
  switch (fact.kind) {
    case 'cardholder':
      issuing.cardholders.set(fact.value.id, fact.value)
      return
    case 'card':
      issuing.cards.set(fact.value.id, fact.value)
      issuing.cardNumbers.set(fact.value.number, fact.value.id)
      return
    case 'authorization':
      issuing.authorizations.set(fact.value.id, fact.value)
      return
    case 'transaction':
      issuing.transactions.set(fact.value.id, fact.value)
      return
    case 'charge':
      issuing.charges.set(fact.key, fact.value)
      return
    case 'funds':
      issuing.funds.set(fact.currency, fact.amount)
      return
    case 'settings':
      issuing.settings = fact.value
      return
    default:
      fact satisfies never
  }
}
