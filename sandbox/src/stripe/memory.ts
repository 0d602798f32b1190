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
  canceled: { at_ms: number; reason: 'abandoned' | 'automatic' | 'requested_by_customer' | null } | null
  /** Milliseconds; the search finds it a while later. */
  created_ms: number
  /** When its money was held; null: it was not. */
  held_ms: number | null
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
  amount_captured: number
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
  issuing: IssuingMemory
  keys: Map<string, KeptAnswer>
  log: LogEntry[]
  /** These end with the process. */
  faults: FaultRule[]
  busyKeys: Set<string>
  searchDelayMs: number
  /** How far its clock was put forward. */
  aheadMs: number
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
    issuing: emptyIssuing(),
    keys: new Map(),
    log: [],
    faults: [],
    busyKeys: new Set(),
    searchDelayMs: 1_000,
    aheadMs: 0,
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
