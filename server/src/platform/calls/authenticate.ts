import type { Actor, Tenant } from '../../contract/context.ts'
import type { Operation, OperationFacts } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import type { ProblemCode } from '../../contract/problem-codes.ts'
import { type Scope, scopePresets } from '../../contract/scopes.ts'
import type { Id } from '../../core/id.ts'
import type { KeyDoor, KeyGrant } from '../doors/key-door.ts'

export type Principal = {
  readonly tenant: Tenant
  readonly actor: Actor
  readonly keyId: Id<'key'> | null
  /** The one profile that its agent acts for. */
  readonly profileId: Id<'prof'> | null
  readonly scopes: ReadonlySet<Scope>
}

export type Authenticator = {
  keyDoor: KeyDoor
  /** Whether operations with optional credentials take anonymous calls. */
  anonymousDiscovery: boolean
}

export const unauthorized = () => new Problem('unauthorized', { headers: { 'www-authenticate': 'Bearer' } })

type Caller = {
  authorization: string | undefined
  now: Date
  identify: (() => Promise<Pick<Principal, 'tenant' | 'actor'>>) | null
}

/**
 * Who calls, from the `Authorization` header; throws the 401 or 403 that answers everybody else. At once for a key that is known, as
 * nearly every call's is.
 */
export function authenticate(
  auth: Authenticator,
  operation: Operation,
  call: Caller,
): Principal | Promise<Principal> {
  if (operation.auth === 'none') return anonymous()
  if (call.authorization === undefined) {
    if (operation.auth === 'optional' && auth.anonymousDiscovery) return anonymous()
    if (operation.auth === 'signed' && call.identify) return signed(call.identify)
    throw unauthorized()
  }
  const grant = openKey(auth, call.authorization, call.now)
  if (grant instanceof Promise) return grant.then((opened) => principalOf(opened, operation))
  return principalOf(grant, operation)
}

async function signed(identify: () => Promise<Pick<Principal, 'tenant' | 'actor'>>): Promise<Principal> {
  return {
    ...(await identify()),
    keyId: null,
    profileId: null,
    scopes: new Set<Scope>(['merchant_orders:respond']),
  }
}

function principalOf(grant: KeyGrant | null, operation: Operation): Principal {
  if (!grant) throw unauthorized()
  const barred = barOf(grant, operation)
  if (barred) throw new Problem(barred.code, barred)
  return {
    tenant: { accountId: grant.accountId, mode: grant.mode },
    actor: { type: 'api_key', id: grant.agentId },
    keyId: grant.keyId,
    profileId: grant.profileId,
    scopes: grant.scopes,
  }
}

/** Why this key does not open this operation; null: it does. */
function barOf(grant: KeyGrant, operation: OperationFacts): { code: ProblemCode; message?: string } | null {
  if (grant.kind === 'publishable') return { code: 'publishable_key_not_allowed' }
  if (operation.scope && !grant.scopes.has(operation.scope)) {
    const instead = operation.withoutScope ?? 'Ask a person to do this, or for a key that has the scope.'
    return { code: 'insufficient_scope', message: `This key lacks the scope ${operation.scope}. ${instead}` }
  }
  if (grant.profileId !== null && operation.forBound !== 'served') {
    const message =
      'This key acts only for one profile, and the operation concerns the whole account. Ask a person to do this.'
    return { code: 'insufficient_scope', message }
  }
  return null
}

/** Whether a caller is let in to an operation. */
export type MayCall = (operation: OperationFacts) => boolean

/**
 * What whoever sends this `Authorization` header may call; null: it opens nothing. Said by the rule that lets calls in, so that a list
 * for a caller shows neither more nor less than he may call.
 */
export async function openedBy(
  auth: Authenticator,
  authorization: string | undefined,
  now: Date,
): Promise<MayCall | null> {
  if (authorization === undefined) {
    return (operation) =>
      operation.auth === 'none' || (operation.auth === 'optional' && auth.anonymousDiscovery)
  }
  const grant = await openKey(auth, authorization, now)
  return grant && ((operation) => operation.auth === 'none' || barOf(grant, operation) === null)
}

/** What the key of an `Authorization` header opens, or null when there is no such live key. */
export function openKey(
  auth: Pick<Authenticator, 'keyDoor'>,
  authorization: string,
  now: Date,
): KeyGrant | null | Promise<KeyGrant | null> {
  const token = tokenOf(authorization)
  const grant = token ? auth.keyDoor.open(token) : null
  return grant instanceof Promise ? grant.then((opened) => unexpired(opened, now)) : unexpired(grant, now)
}

/** The token of an `Authorization` header; null: it carries none. */
export function tokenOf(authorization: string): string | null {
  return /^bearer +([\x21-\x7e]{20,200})$/i.exec(authorization)?.[1] ?? null
}

function unexpired(grant: KeyGrant | null, now: Date): KeyGrant | null {
  return grant?.expiresAt && grant.expiresAt <= now ? null : grant
}

/** Nobody: live mode, and an account that owns nothing. */
function anonymous(): Principal {
  return {
    tenant: { accountId: 'acct_anonymous', mode: 'live' },
    actor: { type: 'anonymous', id: null },
    keyId: null,
    profileId: null,
    scopes: new Set<Scope>(scopePresets.discovery),
  }
}
