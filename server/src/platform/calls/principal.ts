import type { Actor, Tenant } from '../../contract/context.ts'
import type { OperationFacts } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { type Scope, scopePresets } from '../../contract/scopes.ts'
import type { Id } from '../../core/id.ts'

/** Whom a call is made for. A surface makes it of what it is shown: a key, a signature, a session. Nothing else tells callers apart. */
export type Principal = {
  readonly tenant: Tenant
  readonly actor: Actor
  /** The key that was shown; null where there is none. */
  readonly keyId: Id<'key'> | null
  /** The one profile that the caller acts for; null: all of the account. */
  readonly profileId: Id<'prof'> | null
  readonly scopes: ReadonlySet<Scope>
  /** Who the same credentials stand for at this moment; null once they have ended. Asked where a call outlives its beginning: streams, waits. */
  renew(): Principal | null | Promise<Principal | null>
}

/** A caller without credentials: live mode, and an account that owns nothing. */
export const nobody: Principal = {
  tenant: { accountId: 'acct_anonymous', mode: 'live' },
  actor: { type: 'anonymous', id: null },
  keyId: null,
  profileId: null,
  scopes: new Set<Scope>(scopePresets.discovery),
  renew: () => nobody,
}

/** Why a caller may not use an operation; null: it may. */
export function barOf(principal: Principal, operation: OperationFacts): Problem | null {
  const { actor, scopes, profileId, keyId } = principal
  if (operation.auth === 'none') return null
  if (actor.type === 'anonymous' && operation.auth !== 'optional') return new Problem('unauthorized')
  if (actor.type === 'destination' && operation.auth !== 'signed') return new Problem('unauthorized')
  const caller = keyId === null ? 'This caller' : 'This key'
  if (operation.scope && !scopes.has(operation.scope)) {
    const instead = operation.withoutScope ?? 'Ask a person to do this, or for a key that has the scope.'
    return new Problem('insufficient_scope', {
      message: `${caller} lacks the scope ${operation.scope}. ${instead}`,
    })
  }
  if (profileId !== null && operation.forBound !== 'served')
    return new Problem('insufficient_scope', {
      message: `${caller} acts only for one profile, and the operation concerns the whole account. Ask a person to do this.`,
    })
  return null
}
