import { randomUUID } from 'node:crypto'
import { BadRequest } from '../fields.ts'
import type {
  Authorization,
  Capture,
  Credential,
  Entry,
  Ledger,
  Operation,
  Refund,
  Stored,
} from './ledger.ts'
import type { MoneyCall } from './money-call.ts'

/** The outcome of a call. `result: null` is a call that changes nothing and is no refusal (a second void). */
type Decision = {
  operation: Operation
  status: number
  answer: object
  objects: Stored[]
  objectId: string | null
  result: string | null
  facts: Pick<Entry, 'amount' | 'currency' | 'reference'>
}

/** A test's request that the issuer refuses: the money, or the release of a hold. */
export type Forced = { kind: 'decline'; code: string } | { kind: 'refuse_release' }

/** Pure except for the new ids. */
export function decideOperation(ledger: Ledger, call: MoneyCall, at: Date, forced?: Forced): Decision {
  const forcedDecline = forced?.kind === 'decline' ? forced.code : undefined
  const isKept = forced?.kind === 'refuse_release'
  switch (call.operation) {
    case 'authorize':
      return authorize(call, at, forcedDecline)
    case 'issue_credential':
      return issueCredential(call, at, forcedDecline)
    case 'charge':
      return charge(credentialOf(ledger, call.credentialId), call, at, forcedDecline)
    case 'revoke':
      return revoke(credentialOf(ledger, call.credentialId), isKept)
    case 'capture':
      return capture(authorizationOf(ledger, call.authorizationId), call, at, forcedDecline)
    case 'void':
      return voidAuthorization(authorizationOf(ledger, call.authorizationId), isKept)
    case 'refund':
      return refund(ledger, captureOf(ledger, call.captureId), call, at, forcedDecline)
    default:
      return call satisfies never
  }
}

function authorize(
  call: Extract<MoneyCall, { operation: 'authorize' }>,
  at: Date,
  forced?: string,
): Decision {
  const decline = forced ?? issuerDecline(call)
  const authorization: Authorization = {
    id: newId('auth'),
    object: 'authorization',
    status: decline === undefined ? 'authorized' : 'declined',
    card: call.card.name,
    amount: call.amount,
    currency: call.currency,
    merchant: call.merchant,
    reference: call.reference,
    capture_id: null,
    captured_amount: 0,
    refunded_amount: 0,
    decline_code: decline ?? null,
    created_at: at.toISOString(),
  }
  return opened('authorize', authorization, call.amount, decline)
}

function issueCredential(
  call: Extract<MoneyCall, { operation: 'issue_credential' }>,
  at: Date,
  forced?: string,
): Decision {
  const decline = forced ?? issuerDecline(call)
  const credential: Credential = {
    id: newId('cred'),
    object: 'credential',
    status: decline === undefined ? 'active' : 'declined',
    card: call.card.name,
    limit: call.limit,
    currency: call.currency,
    merchant: call.merchant,
    expires_at: call.expiresAt,
    reference: call.reference,
    capture_id: null,
    captured_amount: 0,
    refunded_amount: 0,
    decline_code: decline ?? null,
    created_at: at.toISOString(),
  }
  return opened('issue_credential', credential, call.limit, decline)
}

function charge(
  credential: Credential,
  call: Extract<MoneyCall, { operation: 'charge' }>,
  at: Date,
  forced?: string,
): Decision {
  const facts = { amount: call.amount, currency: call.currency, reference: call.reference }
  const refusal = chargeRefusal(credential, call, at)
  if (refusal !== undefined) return refused('capture', refusal, credential, facts)
  if (forced !== undefined) return declined('capture', forced, credential, facts)
  // The shop may be at a host below the one that the credential is for.
  const { merchant, reference } = call
  const captured: Capture = { ...captureFrom(credential, call.amount, at), merchant, reference }
  const spent: Credential = {
    ...credential,
    status: 'charged',
    capture_id: captured.id,
    captured_amount: captured.amount,
  }
  return approved('capture', 201, captured, [captured, spent], facts)
}

function chargeRefusal(
  credential: Credential,
  call: Extract<MoneyCall, { operation: 'charge' }>,
  at: Date,
): string | undefined {
  if (credential.status === 'declined') return 'credential_declined'
  if (credential.status === 'revoked') return 'credential_revoked'
  if (credential.status === 'charged') return 'already_charged'
  if (at >= new Date(credential.expires_at)) return 'credential_expired'
  if (!isMerchant(credential.merchant, call.merchant)) return 'wrong_merchant'
  if (call.currency !== credential.currency) return 'wrong_currency'
  if (call.amount > credential.limit) return 'over_limit'
  return undefined
}

/** A credential for a shop's domain is good at the hosts below it: `www.shop.example` is `shop.example`. */
function isMerchant(allowed: string, charging: string): boolean {
  return charging === allowed || charging.endsWith(`.${allowed}`)
}

function revoke(credential: Credential, isKept: boolean): Decision {
  const facts = { amount: credential.limit, currency: credential.currency, reference: credential.reference }
  if (credential.status === 'charged') return refused('revoke', 'already_charged', credential, facts)
  if (credential.status !== 'active') return unchanged('revoke', credential, facts)
  if (isKept) return refused('revoke', 'release_refused', credential, facts)
  const revoked: Credential = { ...credential, status: 'revoked' }
  return { ...approved('revoke', 200, revoked, [revoked], facts), result: 'revoked' }
}

function capture(
  authorization: Authorization,
  call: Extract<MoneyCall, { operation: 'capture' }>,
  at: Date,
  forced?: string,
): Decision {
  const facts = { amount: call.amount, currency: authorization.currency, reference: authorization.reference }
  const refusal = captureRefusal(authorization, call.amount)
  if (refusal !== undefined) return refused('capture', refusal, authorization, facts)
  if (forced !== undefined) return declined('capture', forced, authorization, facts)
  const captured = captureFrom(authorization, call.amount, at)
  const settled: Authorization = {
    ...authorization,
    status: 'captured',
    capture_id: captured.id,
    captured_amount: captured.amount,
  }
  return approved('capture', 201, captured, [captured, settled], facts)
}

function captureRefusal(authorization: Authorization, amount: number): string | undefined {
  if (authorization.status === 'declined') return 'authorization_declined'
  if (authorization.status === 'voided') return 'authorization_voided'
  if (authorization.status === 'captured') return 'already_captured'
  if (amount > authorization.amount) return 'over_authorized_amount'
  return undefined
}

function captureFrom(held: Authorization | Credential, amount: number, at: Date): Capture {
  return {
    id: newId('capt'),
    object: 'capture',
    authorization_id: held.object === 'authorization' ? held.id : null,
    credential_id: held.object === 'credential' ? held.id : null,
    card: held.card,
    amount,
    currency: held.currency,
    merchant: held.merchant,
    reference: held.reference,
    refunded_amount: 0,
    created_at: at.toISOString(),
  }
}

function voidAuthorization(authorization: Authorization, isKept: boolean): Decision {
  const { amount, currency, reference } = authorization
  const facts = { amount, currency, reference }
  if (authorization.status === 'captured') return refused('void', 'already_captured', authorization, facts)
  if (authorization.status !== 'authorized') return unchanged('void', authorization, facts)
  if (isKept) return refused('void', 'release_refused', authorization, facts)
  const voided: Authorization = { ...authorization, status: 'voided' }
  return { ...approved('void', 200, voided, [voided], facts), result: 'voided' }
}

function refund(
  ledger: Ledger,
  captured: Capture,
  call: Extract<MoneyCall, { operation: 'refund' }>,
  at: Date,
  forced?: string,
): Decision {
  const facts = { amount: call.amount, currency: captured.currency, reference: captured.reference }
  const refundedAmount = captured.refunded_amount + call.amount
  if (refundedAmount > captured.amount) return refused('refund', 'over_captured_amount', captured, facts)
  if (forced !== undefined) return declined('refund', forced, captured, facts)
  const refunded: Refund = {
    id: newId('refd'),
    object: 'refund',
    capture_id: captured.id,
    amount: call.amount,
    currency: captured.currency,
    reference: captured.reference,
    created_at: at.toISOString(),
  }
  const source = ledger.objects.get(captured.authorization_id ?? captured.credential_id ?? '')
  const objects: Stored[] = [refunded, { ...captured, refunded_amount: refundedAmount }]
  if (source?.object === 'authorization' || source?.object === 'credential') {
    objects.push({ ...source, refunded_amount: refundedAmount })
  }
  return approved('refund', 201, refunded, objects, facts)
}

function issuerDecline(call: {
  card: { issuer: { kind: 'approved' } | { kind: 'declined'; code: string } }
}) {
  return call.card.issuer.kind === 'declined' ? call.card.issuer.code : undefined
}

function opened(
  operation: 'authorize' | 'issue_credential',
  object: Authorization | Credential,
  amount: number,
  decline: string | undefined,
): Decision {
  const facts = { amount, currency: object.currency, reference: object.reference }
  if (decline === undefined) return approved(operation, 201, object, [object], facts)
  return {
    ...declined(operation, decline, object, facts),
    answer: { ...object, error: declineError(decline) },
    objects: [object],
  }
}

function approved(
  operation: Operation,
  status: number,
  answer: Stored,
  objects: Stored[],
  facts: Decision['facts'],
): Decision {
  return { operation, status, answer, objects, objectId: answer.id, result: 'approved', facts }
}

function unchanged(operation: Operation, object: Stored, facts: Decision['facts']): Decision {
  return { operation, status: 200, answer: object, objects: [], objectId: object.id, result: null, facts }
}

function refused(operation: Operation, code: string, object: Stored, facts: Decision['facts']): Decision {
  const answer = { error: { code, message: `The ${object.object} refuses this ${operation}: ${code}` } }
  return {
    operation,
    status: 409,
    answer,
    objects: [],
    objectId: object.id,
    result: `refused:${code}`,
    facts,
  }
}

function declined(operation: Operation, code: string, object: Stored, facts: Decision['facts']): Decision {
  const answer = { error: declineError(code) }
  return {
    operation,
    status: 402,
    answer,
    objects: [],
    objectId: object.id,
    result: `declined:${code}`,
    facts,
  }
}

function declineError(code: string) {
  return { code: 'declined', decline_code: code, message: 'The issuer declined' }
}

function authorizationOf(ledger: Ledger, id: string): Authorization {
  const found = ledger.objects.get(id)
  if (found?.object !== 'authorization')
    throw new BadRequest('There is no such authorization', 'not_found', 404)
  return found
}

function credentialOf(ledger: Ledger, id: string): Credential {
  const found = ledger.objects.get(id)
  if (found?.object !== 'credential') throw new BadRequest('There is no such credential', 'not_found', 404)
  return found
}

function captureOf(ledger: Ledger, id: string): Capture {
  const found = ledger.objects.get(id)
  if (found?.object !== 'capture') throw new BadRequest('There is no such capture', 'not_found', 404)
  return found
}

function newId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '')}`
}
