/** The states of a payment intent that the simulator uses, with Stripe's names. */
type IntentStatus =
  | 'requires_payment_method'
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
  last_payment_error: object | null
  /** The token that has paid it. */
  paid_by: string | null
  /** Milliseconds; the search finds it a while later. */
  created_ms: number
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
}

/** What is repeated to a request with a known key. */
type KeptAnswer = { digest: string; status: number; body: unknown }

type LogEntry = {
  at: string
  operation: string
  key: string | null
  /** Null: it is about a token. */
  payment_intent: string | null
  reference: string | null
  amount: number
  currency: string
  result: string
}

export type FaultRule = { operation: string; fault: string; times: number }

export type Memory = {
  intents: Map<string, Intent>
  tokens: Map<string, Token>
  refunds: Map<string, Refund>
  keys: Map<string, KeptAnswer>
  log: LogEntry[]
  /** These end with the process. */
  faults: FaultRule[]
  busyKeys: Set<string>
  searchDelayMs: number
}

/** A fact as the file has it: the newest one about an id holds. */
export type Fact =
  | { kind: 'intent'; value: Intent }
  | { kind: 'token'; value: Token }
  | { kind: 'refund'; value: Refund }
  | { kind: 'key'; id: string; value: KeptAnswer }
  | { kind: 'keys_forgotten' }
  | { kind: 'entry'; value: LogEntry }

export function emptyMemory(): Memory {
  return {
    intents: new Map(),
    tokens: new Map(),
    refunds: new Map(),
    keys: new Map(),
    log: [],
    faults: [],
    busyKeys: new Set(),
    searchDelayMs: 1_000,
  }
}

export function remember(memory: Memory, fact: Fact): void {
  switch (fact.kind) {
    case 'intent':
      memory.intents.set(fact.value.id, fact.value)
      return
    case 'token':
      memory.tokens.set(fact.value.id, fact.value)
      return
    case 'refund':
      memory.refunds.set(fact.value.id, fact.value)
      return
    case 'key':
      memory.keys.set(fact.id, fact.value)
      return
    case 'keys_forgotten':
      memory.keys.clear()
      return
    case 'entry':
      memory.log.push(fact.value)
      return
    default:
      fact satisfies never
  }
}
