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
  | { operation: 'revoke'; credentialId: string }
  | { operation: 'capture'; authorizationId: string; amount: number }
  | { operation: 'void'; authorizationId: string }
  | { operation: 'refund'; captureId: string; amount: number }

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
  return {
    operation: 'charge',
    credentialId,
    amount: amount(body, 'amount'),
    currency: currency(body),
    merchant: text(body, 'merchant').toLowerCase(),
    reference: text(body, 'reference'),
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
