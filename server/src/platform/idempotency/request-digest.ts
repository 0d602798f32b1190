import { timingSafeEqual } from 'node:crypto'
import type { Tenant } from '../../contract/context.ts'
import { keyedHashes } from '../secrets/keyed-hash.ts'
import type { KeyProvider } from '../secrets/keys.ts'

export type IdempotencyScope = { tenant: Tenant; operation: string; key: string }

/** What identifies a request: the validated arguments, so that REST and MCP agree. */
export type RequestArguments = { path: unknown; query: unknown; body: unknown }

/** The columns of an idempotency key's row. */
export type RequestDigest = { keyed_digest: Buffer; digest_key: string }

export interface RequestDigests {
  /** The digest of a row that is written now. */
  of(scope: IdempotencyScope, args: RequestArguments): RequestDigest
  /** Whether a row was written for the same request. Throws where this installation does not hold the key of its digest. */
  isOf(stored: RequestDigest, scope: IdempotencyScope, args: RequestArguments): boolean
}

/**
 * Digests under a key that is not in the database. A request may hold a birth date or a one-time code: there are so few of them that
 * anybody could find the one behind an unkeyed digest. The account and the idempotency key are digested too, so that equal requests are
 * not visible either.
 */
export function createRequestDigests(keys: KeyProvider): RequestDigests {
  const hashUnder = keyedHashes(keys, 'prokura/request-digest/v1')
  // guard digest-of-one-key: a reader of the database does not see which requests are equal
  const keyed = (keyId: string, { tenant, operation, key }: IdempotencyScope, args: RequestArguments) =>
    hashUnder(keyId, canonical([tenant.accountId, tenant.mode, operation, key, requestOf(args)]))
  return {
    // guard digest-is-keyed: a reader of the database finds no birth date by trying all of them
    of: (scope, args) => ({ keyed_digest: keyed(keys.currentId, scope, args), digest_key: keys.currentId }),
    // guard digest-names-its-key: a key of before a rotation of the encryption keys still means its one request
    isOf: ({ keyed_digest, digest_key }, scope, args) =>
      timingSafeEqual(keyed_digest, keyed(digest_key, scope, args)),
  }
}

/** Without the idempotency key: over REST it may be a header or in the body, and over MCP it is an argument. */
function requestOf({ path, query, body }: RequestArguments): unknown[] {
  // guard digest-of-the-body: another body under the same key is another request
  // guard digest-of-the-path: another object in the path under the same key is another request
  return [path, query, withoutKey(body)]
}

function withoutKey(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('idempotency_key' in body)) return body
  const { idempotency_key: _, ...request } = body
  return request
}

/** The same text for equal JSON values, in whatever order their members are. */
export function canonical(value: unknown): string {
  if (value === undefined) return 'null'
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  let text = ''
  for (const [name, member] of Object.entries(value).sort(byName)) {
    if (member !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonical(member)}`
  }
  return `{${text}}`
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1
}
