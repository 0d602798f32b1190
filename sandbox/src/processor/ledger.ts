import type { Fault, FaultRule } from './faults.ts'

export type Operation =
  | 'authorize'
  | 'issue_credential'
  | 'charge_credential'
  | 'capture'
  | 'void'
  | 'revoke'
  | 'refund'
  | 'issue_card'
  | 'check_card'
  | 'authorize_card'
  | 'reverse'
  | 'close'
  | 'answer'

/** One line of the public log: one effect, or one refusal. */
export type Entry = {
  at: string
  key: string
  operation: Operation
  amount: number | null
  currency: string | null
  reference: string | null
  result: string
}

/** Where, and until when, the holder of a card says whether it is them who pays. Nothing is held before. */
type NextAction = { url: string; expires_at: string }

export type Authorization = {
  id: string
  object: 'authorization'
  status: 'requires_action' | 'authorized' | 'declined' | 'captured' | 'voided'
  /** Missing where nobody was asked, null once they have answered. */
  next_action?: NextAction | null
  card: string
  amount: number
  currency: string
  merchant: string | null
  reference: string
  /** The credential that it was made against; missing where it was made with a card. */
  credential_id?: string
  capture_id: string | null
  captured_amount: number
  refunded_amount: number
  decline_code: string | null
  created_at: string
}

/**
 * A single-use credential: a hold of `limit` that only `merchant` may charge, once, before `expires_at`; or authorize against, once, to
 * capture or void later.
 */
export type Credential = {
  id: string
  object: 'credential'
  next_action?: NextAction | null
  status: 'requires_action' | 'active' | 'declined' | 'authorized' | 'charged' | 'revoked'
  card: string
  limit: number
  /** What its merchant has authorized; missing before. */
  authorized_amount?: number
  currency: string
  merchant: string
  expires_at: string
  reference: string
  capture_id: string | null
  captured_amount: number
  refunded_amount: number
  decline_code: string | null
  created_at: string
}

export type Capture = {
  id: string
  object: 'capture'
  authorization_id: string | null
  credential_id: string | null
  card: string
  amount: number
  currency: string
  merchant: string | null
  reference: string
  refunded_amount: number
  created_at: string
}

export type Refund = {
  id: string
  object: 'refund'
  capture_id: string
  amount: number
  currency: string
  reference: string
  created_at: string
}

/**
 * A credential with a number that a shop's form takes. Merchants check it for nothing, authorize first and capture later, in parts. What is
 * authorized and captured together never exceeds `limit`.
 */
export type VirtualCard = {
  id: string
  object: 'virtual_card'
  /** The funding card. */
  card: string
  number: string
  exp_month: number
  exp_year: number
  security_code: string
  limit: number
  currency: string
  /** Null until the first merchant authorizes, where none was named. */
  merchant: string | null
  expires_at: string
  reference: string
  /** From here on no new authorization. */
  revoked_at: string | null
  was_authorized: boolean
  next_action?: NextAction | null
  /** Held and not captured. */
  authorized: number
  captured: number
  refunded: number
  decline_code: string | null
  created_at: string
}

/** A merchant's hold on a virtual card; an amount of 0 is a check, and holds nothing. */
export type CardAuthorization = {
  id: string
  object: 'card_authorization'
  card: string
  virtual_card_id: string
  amount: number
  currency: string
  merchant: string
  reference: string
  captured: number
  reversed: number
  refunded: number
  created_at: string
}

/** One change of a virtual card or of a credential without a number, with its totals after it. */
export type CardMovement = {
  seq: number
  at: string
  /** Null: it is of a credential. */
  virtual_card: string | null
  credential: string | null
  authorization: string | null
  kind: string
  amount: number | null
  authorized: number
  captured: number
  refunded: number
}

export type Stored = Authorization | Credential | Capture | Refund | VirtualCard | CardAuthorization

/** What a key did, with the answer it got: the same key and request gets exactly this again. */
export type Recorded = {
  key: string
  digest: string
  operation: Operation
  at: string
  status: number
  answer: object
  result: string
  objectId: string | null
}

/** A line of the file. Objects are stored whole, so that replay needs no rules: the rules may change, the past does not. */
export type LedgerLine =
  | { kind: 'operation'; recorded: Recorded; objects: Stored[]; entry: Entry | null }
  | { kind: 'closed'; key: string; objects: Stored[]; entry: Entry | null }
  /** The holder of a card has answered. */
  | { kind: 'answered'; objects: Stored[]; entry: Entry }
  /** What the keys made stays, and so does the log. */
  | { kind: 'keys_forgotten' }
  | { kind: 'refusal'; entry: Entry }
  | { kind: 'fault'; rule: FaultRule }
  | { kind: 'fault_used'; id: string }
  | { kind: 'fault_once'; key: string; fault: Fault['kind'] }
  | { kind: 'faults_cleared' }

export type Ledger = {
  objects: Map<string, Stored>
  operations: Map<string, Recorded>
  closedKeys: Map<string, string>
  entries: Entry[]
  /** What each key made, also after the key itself was forgotten. */
  madeUnder: Map<string, string[]>
  /** Every authorization and credential in the order in which they were made, with the key that made it. */
  openings: { key: string; objectId: string }[]
  /** The id of the virtual card that has a number. */
  cardNumbers: Map<string, string>
  /** What has happened to virtual cards and credentials, in order. */
  movements: CardMovement[]
  faults: Map<string, FaultRule>
  faultedKeys: Set<string>
}

export function emptyLedger(): Ledger {
  return {
    objects: new Map(),
    operations: new Map(),
    closedKeys: new Map(),
    entries: [],
    madeUnder: new Map(),
    openings: [],
    cardNumbers: new Map(),
    movements: [],
    faults: new Map(),
    faultedKeys: new Set(),
  }
}

/** The only way the ledger changes, for a live call and for replay alike. */
export function applyLine(ledger: Ledger, line: LedgerLine): void {
  switch (line.kind) {
    case 'operation':
      ledger.operations.set(line.recorded.key, line.recorded)
      rememberOpening(ledger, line.recorded)
      rememberMade(ledger, line)
      keep(ledger, line.objects, line.entry)
      return
    case 'closed':
      ledger.closedKeys.set(line.key, line.entry?.result ?? 'closed')
      keep(ledger, line.objects, line.entry)
      return
    case 'answered':
      keep(ledger, line.objects, line.entry)
      return
    case 'keys_forgotten':
      ledger.operations.clear()
      ledger.closedKeys.clear()
      return
    case 'refusal':
      ledger.entries.push(line.entry)
      return
    case 'fault':
      ledger.faults.set(line.rule.id, line.rule)
      return
    case 'fault_used':
      useFault(ledger, line.id)
      return
    case 'fault_once':
      ledger.faultedKeys.add(line.key)
      return
    case 'faults_cleared':
      ledger.faults.clear()
      return
    default:
      line satisfies never
  }
}

function rememberOpening({ openings }: Ledger, { key, operation, objectId }: Recorded): void {
  const isOpening =
    operation === 'authorize' || operation === 'issue_credential' || operation === 'issue_card'
  if (isOpening && objectId !== null) openings.push({ key, objectId })
}

/** A call that changes what an earlier one made has made nothing. */
function rememberMade(
  { madeUnder }: Ledger,
  { recorded, objects }: Extract<LedgerLine, { kind: 'operation' }>,
): void {
  const { key, operation, objectId } = recorded
  if (operation === 'void' || operation === 'revoke' || operation === 'reverse' || operation === 'close')
    return
  const made = objects.filter(({ id }) => id === objectId).map(({ id }) => id)
  if (made.length > 0) madeUnder.set(key, [...(madeUnder.get(key) ?? []), ...made])
}

function keep(ledger: Ledger, objects: readonly Stored[], entry: Entry | null): void {
  for (const object of objects) {
    ledger.objects.set(object.id, object)
    if (object.object === 'virtual_card') ledger.cardNumbers.set(object.number, object.id)
  }
  if (entry === null) return
  ledger.entries.push(entry)
  const movement = movementOf(objects, entry)
  if (movement !== undefined) ledger.movements.push({ seq: ledger.movements.length + 1, ...movement })
}

function movementOf(
  objects: readonly Stored[],
  { at, operation, result, amount }: Entry,
): Omit<CardMovement, 'seq'> | undefined {
  const kind = operation === 'close' || result.startsWith('declined') ? result : operation
  const card = objects.find((one) => one.object === 'virtual_card')
  if (card !== undefined) {
    const authorization = objects.find((one) => one.object === 'card_authorization')?.id ?? null
    const { authorized, captured, refunded } = card
    const named = { virtual_card: card.id, credential: null, authorization }
    return { at, ...named, kind, amount, authorized, captured, refunded }
  }
  const credential = objects.find((one) => one.object === 'credential')
  if (credential === undefined) return undefined
  const authorization = objects.find((one) => one.object === 'authorization')?.id ?? null
  return {
    at,
    virtual_card: null,
    credential: credential.id,
    authorization,
    kind,
    amount,
    authorized: credential.status === 'authorized' ? (credential.authorized_amount ?? 0) : 0,
    captured: credential.captured_amount,
    refunded: credential.refunded_amount,
  }
}

function useFault(ledger: Ledger, id: string): void {
  const rule = ledger.faults.get(id)
  if (rule === undefined) return
  if (rule.times <= 1) ledger.faults.delete(id)
  else ledger.faults.set(id, { ...rule, times: rule.times - 1 })
}
