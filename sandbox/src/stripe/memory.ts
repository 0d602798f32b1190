import type { Stripe } from 'stripe'
import { emptyIssuing, type IssuingFact, type IssuingMemory, rememberIssuing } from './issuing/memory.ts'
import type { Decline } from './test-cards.ts'

/** A test card that is kept, or was named once. */
export type Method = {
  id: string
  /** The test payment method of Stripe that it behaves like. */
  card: string
  customer: string | null
  /** Its holder has confirmed that it is kept for payments without them. */
  is_set_up: boolean
  billing_name: string | null
  metadata: Record<string, string>
  created_ms: number
}

export type Customer = {
  id: string
  name: string | null
  email: string | null
  description: string | null
  metadata: Record<string, string>
  created_ms: number
  is_deleted: boolean
}

/** What its holder is asked to confirm, and where they come back to. */
export type Asking = { return_url: string | null; asked_ms: number }

export type SetupIntent = {
  id: string
  status: 'requires_payment_method' | 'requires_confirmation' | 'requires_action' | 'succeeded' | 'canceled'
  customer: string | null
  payment_method: string | null
  usage: 'off_session' | 'on_session'
  description: string | null
  metadata: Record<string, string>
  asking: Asking | null
  last_setup_error: Decline | null
  created_ms: number
}

/** The states of a payment intent that the simulator uses, with Stripe's names. */
type IntentStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'requires_capture'
  | 'succeeded'
  | 'canceled'

export type Intent = {
  id: string
  status: IntentStatus
  amount: number
  amount_received: number
  amount_refunded: number
  currency: string
  capture_method: 'manual' | 'automatic'
  description: string | null
  metadata: Record<string, string>
  customer: string | null
  payment_method: string | null
  setup_future_usage: 'off_session' | 'on_session' | null
  on_behalf_of: string | null
  /** The account that is paid; null: the one whose key it is. */
  destination: string | null
  application_fee_amount: number | null
  last_payment_error: Decline | null
  asking: Asking | null
  /** The token that has paid it. */
  paid_by: string | null
  /** The profile of the account whose it is. */
  owner: string
  canceled: { at_ms: number; reason: 'abandoned' | 'automatic' | 'requested_by_customer' | null } | null
  /** Milliseconds; the search finds it a while later. */
  created_ms: number
  /** When its money was held; null: it was not. */
  held_ms: number | null
  /** When the hold ends by itself; null: nothing was held. */
  held_until_ms: number | null
  captured_ms: number | null
}

export type Token = {
  id: string
  payment_method: string
  currency: string
  max_amount: number
  /** Seconds, as Stripe counts them. */
  expires_at: number
  deactivated_reason: 'consumed' | 'revoked' | null
  /** The profile of the account that can pay with it; null: every one. */
  seller: string | null
  /** By the one that it was issued by; null: a helper of tests made it. */
  issued_by: string | null
  is_live: boolean
  /** Its buyer has to confirm it first; null: nobody has to. */
  asking: Asking | null
  /** They have confirmed it. */
  is_authenticated: boolean
  amount_captured: number
  created_ms: number
}

export type Refund = {
  id: string
  payment_intent: string
  amount: number
  currency: string
  metadata: Record<string, string>
  /** What the merchant gave back of what it was paid; null: nothing. */
  transfer_reversal: string | null
  created_ms: number
}

/** An account that is paid by the charges of another one. */
export type ConnectedAccount = {
  id: string
  country: string
  metadata: Record<string, string>
  charges_enabled: boolean
  payouts_enabled: boolean
  /** What its people have still to say. */
  requirements_due: string[]
  created_ms: number
}

/** The way of its people to the page of Stripe, and back. */
export type AccountLink = {
  id: string
  account: string
  return_url: string
  refresh_url: string
  expires_ms: number
  is_used: boolean
}

export type Dispute = {
  id: string
  payment_intent: string
  amount: number
  currency: string
  reason: string
  status: Extract<
    Stripe.Dispute.Status,
    | 'warning_needs_response'
    | 'warning_under_review'
    | 'warning_closed'
    | 'needs_response'
    | 'under_review'
    | 'won'
    | 'lost'
  >
  /** When its money was taken, and when it was given back; null: it was not. */
  withdrawn_ms: number | null
  reinstated_ms: number | null
  due_by_ms: number
  created_ms: number
}

/** Money that the account has given to another one. */
export type Transfer = {
  id: string
  amount: number
  currency: string
  destination: string
  source_transaction: string | null
  transfer_group: string | null
  description: string | null
  metadata: Record<string, string>
  created_ms: number
}

/** What of it was taken back. */
export type Reversal = {
  id: string
  transfer: string
  amount: number
  currency: string
  metadata: Record<string, string>
  /** The refund that has taken it back; null: it was asked for. */
  refund: string | null
  created_ms: number
}

/** What an event is about, as it was at that time. */
export type Subject =
  | { kind: 'payment_intent'; value: Intent }
  | { kind: 'charge'; value: Intent }
  | { kind: 'refund'; value: Refund }
  | { kind: 'dispute'; value: Dispute }

export type StripeEvent = {
  id: string
  type: Stripe.Event.Type
  about: Subject
  /** The profile of the account whose it is. */
  owner: string
  /** How many endpoints it went to. */
  endpoints: number
  created_ms: number
}

/** Where an account is told of its events. */
export type Endpoint = {
  id: string
  url: string
  secret: string
  enabled_events: string[]
  is_disabled: boolean
  description: string | null
  metadata: Record<string, string>
  owner: string
  created_ms: number
}

/** What is repeated to a request with a known key, for a day. */
type KeptAnswer = { digest: string; status: number; body: unknown; at_ms: number }

type LogEntry = {
  at: string
  operation: string
  key: string | null
  /** Null: it is about a token, or a card that was issued. */
  payment_intent: string | null
  reference: string | null
  amount: number
  currency: string
  result: string
}

export type FaultRule = { operation: string; fault: string; times: number }

export type Memory = {
  customers: Map<string, Customer>
  methods: Map<string, Method>
  setups: Map<string, SetupIntent>
  intents: Map<string, Intent>
  tokens: Map<string, Token>
  refunds: Map<string, Refund>
  connected: Map<string, ConnectedAccount>
  accountLinks: Map<string, AccountLink>
  disputes: Map<string, Dispute>
  /** Those that were asked for: one that a charge makes is part of the charge. */
  transfers: Map<string, Transfer>
  reversals: Map<string, Reversal>
  /** What accounts that were paid still have, where that was said: from others, all can be taken back. */
  available: Map<string, number>
  events: Map<string, StripeEvent>
  endpoints: Map<string, Endpoint>
  issuing: IssuingMemory
  keys: Map<string, KeptAnswer>
  log: LogEntry[]
  /** These end with the process. */
  faults: FaultRule[]
  busyKeys: Set<string>
  searchDelayMs: number
  /** How far its clock was put forward. */
  aheadMs: number
  /** For how many days holds are given to an account with extended authorizations; null: as its network gives them. */
  heldDays: number | null
}

/** A fact as the file has it: the newest one about an id holds. */
export type Fact =
  | { kind: 'customer'; value: Customer }
  | { kind: 'method'; value: Method }
  | { kind: 'setup'; value: SetupIntent }
  | { kind: 'intent'; value: Intent }
  | { kind: 'token'; value: Token }
  | { kind: 'refund'; value: Refund }
  | { kind: 'connected'; value: ConnectedAccount }
  | { kind: 'account_link'; value: AccountLink }
  | { kind: 'dispute'; value: Dispute }
  | { kind: 'transfer'; value: Transfer }
  | { kind: 'reversal'; value: Reversal }
  | { kind: 'available'; account: string; amount: number }
  | { kind: 'event'; value: StripeEvent }
  | { kind: 'endpoint'; value: Endpoint }
  | { kind: 'endpoint_gone'; id: string }
  | { kind: 'issuing'; fact: IssuingFact }
  | { kind: 'key'; id: string; value: KeptAnswer }
  | { kind: 'keys_forgotten' }
  | { kind: 'clock'; aheadMs: number }
  | { kind: 'entry'; value: LogEntry }

export function emptyMemory(): Memory {
  return {
    customers: new Map(),
    methods: new Map(),
    setups: new Map(),
    intents: new Map(),
    tokens: new Map(),
    refunds: new Map(),
    connected: new Map(),
    accountLinks: new Map(),
    disputes: new Map(),
    transfers: new Map(),
    reversals: new Map(),
    available: new Map(),
    events: new Map(),
    endpoints: new Map(),
    issuing: emptyIssuing(),
    keys: new Map(),
    log: [],
    faults: [],
    busyKeys: new Set(),
    searchDelayMs: 1_000,
    aheadMs: 0,
    heldDays: null,
  }
}

export function remember(memory: Memory, fact: Fact): void {
  switch (fact.kind) {
    case 'customer':
      memory.customers.set(fact.value.id, fact.value)
      return
    case 'method':
      memory.methods.set(fact.value.id, fact.value)
      return
    case 'setup':
      memory.setups.set(fact.value.id, fact.value)
      return
    case 'intent':
      memory.intents.set(fact.value.id, fact.value)
      return
    case 'token':
      memory.tokens.set(fact.value.id, fact.value)
      return
    case 'refund':
      memory.refunds.set(fact.value.id, fact.value)
      return
    case 'connected':
      memory.connected.set(fact.value.id, fact.value)
      return
    case 'account_link':
      memory.accountLinks.set(fact.value.id, fact.value)
      return
    case 'dispute':
      memory.disputes.set(fact.value.id, fact.value)
      return
    case 'transfer':
      memory.transfers.set(fact.value.id, fact.value)
      return
    case 'reversal':
      memory.reversals.set(fact.value.id, fact.value)
      return
    case 'available':
      memory.available.set(fact.account, fact.amount)
      return
    case 'event':
      memory.events.set(fact.value.id, fact.value)
      return
    case 'endpoint':
      memory.endpoints.set(fact.value.id, fact.value)
      return
    case 'endpoint_gone':
      memory.endpoints.delete(fact.id)
      return
    case 'issuing':
      rememberIssuing(memory.issuing, fact.fact)
      return
    case 'key':
      memory.keys.set(fact.id, fact.value)
      return
    case 'keys_forgotten':
      memory.keys.clear()
      return
    case 'clock':
      memory.aheadMs = fact.aheadMs
      return
    case 'entry':
      memory.log.push(fact.value)
      return
    default:
      fact satisfies never
  }
}

/** The time by the clock of the simulator. */
export function nowOf({ aheadMs }: Pick<Memory, 'aheadMs'>): number {
  return Date.now() + aheadMs
}
