import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { isObject } from '../../fields.ts'
import type { ShopMemory } from '../shop/memory.ts'

/** What has to be paid for one request, as the scheme `Payment` says it. */
export type Challenge = {
  id: string
  realm: string
  method: string
  intent: 'charge'
  /** base64url of canonical JSON: amount, currency and recipient. */
  request: string
  expires: string
  /** Of the body that was asked for; empty where there was none. */
  digest: string
  /** base64url of canonical JSON: for what it is. */
  opaque: string
}

type Terms = { amount: number; currency: string; recipient: string; realm: string; expiresAt: Date }

export type Credential = { challenge: Record<string, unknown>; payload: Record<string, unknown> }

const note = 'challenge_secret'

/** The secret of the shop: made at the first challenge, and kept with its memory. */
export function secretOf(memory: ShopMemory): string {
  const kept = memory.notes.get(note)
  if (kept !== undefined) return kept
  const value = randomBytes(32).toString('base64url')
  memory.commit({ kind: 'note', name: note, value })
  return value
}

export function makeChallenge(
  secret: string,
  { amount, currency, recipient, realm, expiresAt }: Terms,
  of: { method: string; digest: string; scope: string; details: object },
): Challenge {
  const { method, digest, scope, details } = of
  const request = encoded({ amount: String(amount), currency, recipient, methodDetails: details })
  const unbound = {
    realm,
    method,
    intent: 'charge' as const,
    request,
    expires: expiresAt.toISOString(),
    digest,
    opaque: encoded({ scope }),
  }
  return { id: idOf(secret, unbound), ...unbound }
}

/** One value of `WWW-Authenticate`. */
export function headerOf(challenge: Challenge, description: string): string {
  const members = Object.entries({ ...challenge, description }).filter(([, value]) => value !== '')
  return `Payment ${members.map(([name, value]) => `${name}="${value}"`).join(', ')}`
}

/** The credential of a request; nothing where it has none. */
export function readCredential(authorization: string | undefined): Credential | 'malformed' | undefined {
  const [, text] = /^Payment\s+([\w-]+)=*\s*$/i.exec(authorization ?? '') ?? []
  if (text === undefined) return /^Payment\b/i.test(authorization ?? '') ? 'malformed' : undefined
  return credentialIn(decoded(text)) ?? 'malformed'
}

export function credentialIn(value: unknown): Credential | undefined {
  if (!isObject(value) || !isObject(value.challenge) || !isObject(value.payload)) return undefined
  return { challenge: value.challenge, payload: value.payload }
}

/** The challenge that a credential answers, if this shop has made it. */
export function ownChallenge(secret: string, { challenge }: Credential): Challenge | undefined {
  const text = (name: string) => (typeof challenge[name] === 'string' ? challenge[name] : '')
  const unbound = {
    realm: text('realm'),
    method: text('method'),
    intent: 'charge' as const,
    request: text('request'),
    expires: text('expires'),
    digest: text('digest'),
    opaque: text('opaque'),
  }
  const id = Buffer.from(text('id'))
  const wanted = Buffer.from(idOf(secret, unbound))
  const isOwn = text('intent') === 'charge' && id.length === wanted.length && timingSafeEqual(id, wanted)
  return isOwn ? { id: wanted.toString(), ...unbound } : undefined
}

export function termsOf({ request }: Pick<Challenge, 'request'>): { amount: number; currency: string } {
  const terms = decoded(request)
  const { amount, currency } = isObject(terms) ? terms : {}
  return { amount: Number(amount), currency: String(currency) }
}

export function scopeOf({ opaque }: Challenge): string {
  const said = decoded(opaque)
  return isObject(said) ? String(said.scope) : ''
}

export function receiptOf(challenge: Pick<Challenge, 'id' | 'method'>, reference: string) {
  const timestamp = new Date().toISOString()
  return { status: 'success', method: challenge.method, timestamp, reference, challengeId: challenge.id }
}

/** Without padding, of JSON whose members are in order: RFC 8785, for what a shop says. */
export function encoded(value: unknown): string {
  return Buffer.from(canonical(value)).toString('base64url')
}

export function decoded(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

export function bodyDigest(body: Uint8Array): string {
  return body.length === 0 ? '' : `sha-256=:${createHash('sha256').update(body).digest('base64')}:`
}

/** Bound to everything that it says: whoever changes a part has another id. */
function idOf(secret: string, challenge: Omit<Challenge, 'id'>): string {
  const { realm, method, intent, request, expires, digest, opaque } = challenge
  return createHmac('sha256', secret)
    .update([realm, method, intent, request, expires, digest, opaque].join('|'))
    .digest('base64url')
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}
