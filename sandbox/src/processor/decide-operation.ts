import { BadRequest } from '../fields.ts'
import type { Card } from './cards.ts'
import { authorizeCard, captureCard, issueCard, reverseCard, revokeCard } from './decide-card.ts'
import {
  approved,
  type Decision,
  declined,
  declineError,
  type Forced,
  newId,
  refused,
  unchanged,
} from './decision.ts'
import type { Authorization, Capture, Credential, Ledger, Refund, Stored } from './ledger.ts'
import type { MoneyCall } from './money-call.ts'
import { spentWith } from './spent-with.ts'
import { refundedTo } from './virtual-card.ts'

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
    case 'charge_credential':
      return chargeCredential(credentialOf(ledger, call.credentialId), call, at, forcedDecline)
    case 'revoke':
      return revoke(credentialOf(ledger, call.credentialId), isKept)
    case 'capture':
      return withCredential(
        ledger,
        capture(authorizationOf(ledger, call.authorizationId), call, at, forcedDecline),
      )
    case 'void':
      return withCredential(ledger, voidAuthorization(authorizationOf(ledger, call.authorizationId), isKept))
    case 'refund':
      return withCredential(
        ledger,
        refund(ledger, captureOf(ledger, call.captureId), call, at, forcedDecline),
      )
    case 'issue_card':
      return issueCard(ledger, call, at, forcedDecline)
    case 'authorize_card':
      return authorizeCard(ledger, call, at, forcedDecline)
    case 'capture_card':
      return captureCard(ledger, call, at, forcedDecline)
    case 'reverse_card':
      return reverseCard(ledger, call, isKept)
    case 'revoke_card':
      return revokeCard(ledger, call.cardId, at)
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

/** The merchant holds the money of the credential, and captures or voids it later. */
function chargeCredential(
  credential: Credential,
  call: Extract<MoneyCall, { operation: 'charge_credential' }>,
  at: Date,
  forced?: string,
): Decision {
  const { amount, currency, reference, merchant } = call
  const facts = { amount, currency, reference }
  const refusal = chargeRefusal(credential, call, at)
  if (refusal !== undefined) return refused('charge_credential', refusal, credential, facts)
  if (forced !== undefined) return declined('charge_credential', forced, credential, facts)
  const authorization: Authorization = {
    id: newId('auth'),
    object: 'authorization',
    status: 'authorized',
    card: credential.card,
    amount,
    currency,
    merchant,
    reference,
    credential_id: credential.id,
    capture_id: null,
    captured_amount: 0,
    refunded_amount: 0,
    decline_code: null,
    created_at: at.toISOString(),
  }
  const claimed: Credential = { ...credential, status: 'authorized', authorized_amount: amount }
  return approved('charge_credential', 201, authorization, [authorization, claimed], facts)
}

/** What changes an authorization changes the credential that it was made against. */
function withCredential(ledger: Ledger, decision: Decision): Decision {
  return {
    ...decision,
    objects: [...decision.objects, ...decision.objects.flatMap((one) => spentWith(ledger, one))],
  }
}

function chargeRefusal(
  credential: Credential,
  call: Extract<MoneyCall, { operation: 'charge' | 'charge_credential' }>,
  at: Date,
): string | undefined {
  if (credential.status === 'declined' || credential.status === 'requires_action')
    return 'credential_declined'
  if (credential.status === 'revoked') return 'credential_revoked'
  if (credential.status === 'charged' || credential.status === 'authorized') return 'already_charged'
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
  // What a merchant has authorized stands; there is nothing that could be authorized any more.
  if (credential.status !== 'active' && credential.status !== 'requires_action')
    return unchanged('revoke', credential, facts)
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
  if (authorization.status === 'declined' || authorization.status === 'requires_action')
    return 'authorization_declined'
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
  if (authorization.status !== 'authorized' && authorization.status !== 'requires_action')
    return unchanged('void', authorization, facts)
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
  if (source?.object === 'card_authorization') objects.push(...refundedTo(ledger, source, call.amount))
  return approved('refund', 201, refunded, objects, facts)
}

function issuerDecline(call: { card: Card }) {
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
