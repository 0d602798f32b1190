import { isRecord } from '../platform/egress/peer-json.ts'
import type {
  ForwardedCall,
  GrantRequest,
  OpenTicketRequest,
  RedeemRequest,
  SealedTicket,
  TakeCodeRequest,
  VaultTenant,
} from '../platform/vault-client/vault-words.ts'
import type { JsonValue } from '../schema/strict-json.ts'
import { isPointer } from './json-pointers.ts'

/** A question at a door that is not written as `vault-words.ts` says. */
export class NotUnderstood extends Error {
  override readonly name = 'NotUnderstood'
  readonly part: string

  constructor(part: string) {
    super(`a request at a private door is not understood: ${part}`)
    this.part = part
  }
}

const timeoutMsMax = 30_000
const keepDaysMax = 400
const dayMs = 86_400_000

export function readForward(body: JsonValue): ForwardedCall {
  const said = fieldsOf(body, ['tenant', 'method', 'url', 'headers', 'body', 'timeoutMs', 'seal'])
  const { method, headers, timeoutMs, seal } = said
  if (method !== 'GET' && method !== 'POST') throw new NotUnderstood('method')
  if (!isRecord(headers)) throw new NotUnderstood('headers')
  const isOdd = ([name, value]: [string, unknown]) =>
    !/^[a-z0-9-]{1,64}$/.test(name) || typeof value !== 'string' || !/^[\x20-\x7e]{0,1000}$/.test(value)
  if (Object.entries(headers).some(isOdd)) throw new NotUnderstood('headers')
  if (typeof timeoutMs !== 'number' || !(timeoutMs > 0 && timeoutMs <= timeoutMsMax))
    throw new NotUnderstood('timeoutMs')
  if (method === 'GET' && said.body !== null) throw new NotUnderstood('body')
  return {
    tenant: tenantOf(said.tenant),
    method,
    url: text(said, 'url', 2_000),
    headers: headers as Record<string, string>, // each was looked at
    body: said.body as JsonValue, // of a parsed document
    timeoutMs,
    seal: seal === null ? null : sealOf(seal),
  }
}

export function readGrant(body: JsonValue): GrantRequest {
  const said = fieldsOf(body, ['tenant', 'record', 'cart', 'attempt', 'origin', 'leaseToken'])
  const leaseToken = text(said, 'leaseToken', 19)
  if (!/^\d+$/.test(leaseToken)) throw new NotUnderstood('leaseToken')
  return {
    tenant: tenantOf(said.tenant),
    record: text(said, 'record', 64),
    ...boundOf(said),
    leaseToken: BigInt(leaseToken),
  }
}

export function readRedeem(body: JsonValue): RedeemRequest {
  const said = fieldsOf(body, ['grant', 'cart', 'attempt', 'origin'])
  return { grant: text(said, 'grant', 64), ...boundOf(said) }
}

/** Of `shred` and `describe`. */
export function readRecord(body: JsonValue): { tenant: VaultTenant; record: string } {
  const said = fieldsOf(body, ['tenant', 'record'])
  return { tenant: tenantOf(said.tenant), record: text(said, 'record', 64) }
}

export function readTakeCode(body: JsonValue): TakeCodeRequest {
  const said = fieldsOf(body, ['tenant', 'token', 'profile', 'purchase'])
  return {
    tenant: tenantOf(said.tenant),
    token: text(said, 'token', 64),
    profile: text(said, 'profile', 64),
    purchase: text(said, 'purchase', 64),
  }
}

export function readSealTicket(body: JsonValue): SealedTicket {
  const said = fieldsOf(body, [
    'tenant',
    'ticket',
    'intent',
    'cart',
    'host',
    'expiresAt',
    'key',
    'enc',
    'ciphertext',
  ])
  const host = text(said, 'host', 253)
  if (!/^[a-z0-9.-]+$/.test(host)) throw new NotUnderstood('host')
  const expiresAt = new Date(text(said, 'expiresAt', 40))
  if (Number.isNaN(expiresAt.getTime())) throw new NotUnderstood('expiresAt')
  return {
    tenant: tenantOf(said.tenant),
    ticket: text(said, 'ticket', 64),
    intent: text(said, 'intent', 64),
    cart: text(said, 'cart', 64),
    host,
    expiresAt,
    key: text(said, 'key', 64),
    enc: bytesOf(said, 'enc', 64),
    ciphertext: bytesOf(said, 'ciphertext', 8_192),
  }
}

export function readOpenTicket(body: JsonValue): OpenTicketRequest {
  const said = fieldsOf(body, ['ticket', 'cart', 'origin'])
  const origin = exactOrigin(said)
  return { ticket: text(said, 'ticket', 64), cart: text(said, 'cart', 64), origin }
}

/** Of a question that asks for nothing in particular. */
export function readNothing(body: JsonValue): void {
  fieldsOf(body, [])
}

type Fields = Readonly<Record<string, unknown>>

/** Exactly these fields: what is sent beside them was meant to do something. */
function fieldsOf(body: unknown, names: readonly string[]): Fields {
  if (!isRecord(body)) throw new NotUnderstood('body')
  const odd = [...Object.keys(body), ...names].find(
    (name) => !names.includes(name) || !Object.hasOwn(body, name),
  )
  if (odd !== undefined) throw new NotUnderstood(names.includes(odd) ? odd : 'a field that nobody knows')
  return body
}

function text(said: Fields, name: string, lengthMax: number): string {
  const value = said[name]
  if (typeof value !== 'string' || value.length < 1 || value.length > lengthMax) throw new NotUnderstood(name)
  return value
}

function tenantOf(said: unknown): VaultTenant {
  const { accountId, mode } = fieldsOf(said, ['accountId', 'mode'])
  if (typeof accountId !== 'string' || !/^acct_[0-9a-z]{1,60}$/.test(accountId))
    throw new NotUnderstood('accountId')
  if (mode !== 'test' && mode !== 'live') throw new NotUnderstood('mode')
  return { accountId: accountId as VaultTenant['accountId'], mode } // its form was looked at
}

function boundOf(said: Fields): { cart: string; attempt: number; origin: string } {
  const { attempt } = said
  if (typeof attempt !== 'number' || !Number.isInteger(attempt) || attempt < 1 || attempt > 1_000)
    throw new NotUnderstood('attempt')
  return { cart: text(said, 'cart', 64), attempt, origin: exactOrigin(said) }
}

function exactOrigin(said: Fields): string {
  const origin = text(said, 'origin', 300)
  const isExact = origin.startsWith('https://') && URL.parse(origin)?.origin === origin
  if (!isExact) throw new NotUnderstood('origin')
  return origin
}

function bytesOf(said: Fields, name: string, lengthMax: number): Buffer {
  const value = text(said, name, lengthMax)
  if (!/^[\w-]+$/.test(value)) throw new NotUnderstood(name)
  return Buffer.from(value, 'base64url')
}

function sealOf(said: unknown): ForwardedCall['seal'] {
  const fields = fieldsOf(said, ['number', 'expMonth', 'expYear', 'securityCode', 'holder', 'keepUntil'])
  const pointer = (name: string) => {
    const value = text(fields, name, 200)
    if (!isPointer(value)) throw new NotUnderstood(name)
    return value
  }
  const optional = (name: string) => (fields[name] === null ? null : pointer(name))
  const keepUntil = new Date(text(fields, 'keepUntil', 40))
  const aheadMs = keepUntil.getTime() - Date.now()
  if (!(aheadMs > 0 && aheadMs <= keepDaysMax * dayMs)) throw new NotUnderstood('keepUntil')
  return {
    number: pointer('number'),
    expMonth: pointer('expMonth'),
    expYear: pointer('expYear'),
    securityCode: optional('securityCode'),
    holder: optional('holder'),
    keepUntil,
  }
}
