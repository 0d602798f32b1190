import { createHash } from 'node:crypto'
import { amount, BadRequest, currency, type Fields, optionalText, text } from '../fields.ts'
import { type Card, cardOf } from './cards.ts'

export type MoneyCall =
  | {
      operation: 'authorize'
      card: Card
      amount: number
      currency: string
      merchant: string | null
      reference: string
    }
  | {
      operation: 'issue_credential'
      card: Card
      limit: number
      currency: string
      merchant: string
      expiresAt: string
      reference: string
    }
  | {
      operation: 'charge'
      credentialId: string
      amount: number
      currency: string
      merchant: string
      reference: string
    }
  | {
      operation: 'charge_credential'
      credentialId: string
      amount: number
      currency: string
      merchant: string
      reference: string
    }
  | { operation: 'revoke'; credentialId: string }
  | { operation: 'capture'; authorizationId: string; amount: number }
  | { operation: 'void'; authorizationId: string }
  | { operation: 'refund'; captureId: string; amount: number }
  | {
      operation: 'issue_card'
      card: Card
      limit: number
      currency: string
      /** Null: it belongs to the first merchant that authorizes. */
      merchant: string | null
      expiresAt: string
      reference: string
    }
  | {
      operation: 'authorize_card'
      presented: Presented
      amount: number
      currency: string
      merchant: string
      reference: string
    }
  | { operation: 'capture_card'; authorizationId: string; amount: number; isFinal: boolean }
  /** Without an amount all that is not captured goes back. */
  | { operation: 'reverse_card'; authorizationId: string; amount: number | null }
  | { operation: 'revoke_card'; cardId: string }

/** As a form takes it, or as a token. */
export type Presented =
  | { kind: 'number'; number: string; expiry: string; securityCode: string }
  | { kind: 'token'; token: string }

export function parseAuthorize(body: Fields): MoneyCall {
  const merchant = optionalText(body, 'merchant')
  return {
    operation: 'authorize',
    card: cardOf(body),
    amount: amount(body, 'amount'),
    currency: currency(body),
    merchant: merchant?.toLowerCase() ?? null,
    reference: text(body, 'reference'),
  }
}

export function parseIssueCredential(body: Fields): MoneyCall {
  const expiresAt = new Date(text(body, 'expires_at'))
  if (Number.isNaN(expiresAt.getTime())) throw new BadRequest('expires_at must be a date-time')
  return {
    operation: 'issue_credential',
    card: cardOf(body),
    limit: amount(body, 'limit'),
    currency: currency(body),
    merchant: text(body, 'merchant').toLowerCase(),
    expiresAt: expiresAt.toISOString(),
    reference: text(body, 'reference'),
  }
}

export function parseCharge(credentialId: string, body: Fields): MoneyCall {
  return { operation: 'charge', ...chargeOf(credentialId, body) }
}

export function parseChargeCredential(credentialId: string, body: Fields): MoneyCall {
  return { operation: 'charge_credential', ...chargeOf(credentialId, body) }
}

function chargeOf(credentialId: string, body: Fields) {
  return {
    credentialId,
    amount: amount(body, 'amount'),
    currency: currency(body),
    merchant: text(body, 'merchant').toLowerCase(),
    reference: text(body, 'reference'),
  }
}

export function parseIssueCard(body: Fields): MoneyCall {
  const issued = parseIssueCredential({ ...body, merchant: body.merchant ?? 'any' })
  if (issued.operation !== 'issue_credential') throw new Error('It parses nothing else')
  const isForAny = body.merchant === undefined || body.merchant === null
  return { ...issued, operation: 'issue_card', merchant: isForAny ? null : issued.merchant }
}

export function parseAuthorizeCard(body: Fields): MoneyCall {
  return {
    operation: 'authorize_card',
    presented: presentedIn(body),
    amount: amount(body, 'amount'),
    currency: currency(body),
    merchant: text(body, 'merchant').toLowerCase(),
    reference: text(body, 'reference'),
  }
}

export function parseCaptureCard(authorizationId: string, body: Fields): MoneyCall {
  const isFinal = body.is_final ?? false
  if (typeof isFinal !== 'boolean') throw new BadRequest('is_final must be true or false')
  return { operation: 'capture_card', authorizationId, amount: amount(body, 'amount', 1), isFinal }
}

export function parseReverseCard(authorizationId: string, body: Fields): MoneyCall {
  const isPart = body.amount !== undefined && body.amount !== null
  return { operation: 'reverse_card', authorizationId, amount: isPart ? amount(body, 'amount', 1) : null }
}

function presentedIn(body: Fields): Presented {
  const token = optionalText(body, 'token')
  if (token !== undefined) return { kind: 'token', token }
  return {
    kind: 'number',
    number: text(body, 'number').replaceAll(/[ -]/g, ''),
    expiry: text(body, 'expiry'),
    securityCode: text(body, 'security_code'),
  }
}

/** The same request in any order of its fields: only its meaning is compared. */
export function digestOf(path: string, body: unknown): string {
  return createHash('sha256')
    .update(`${path}\n${canonical(body)}`)
    .digest('hex')
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`
}
