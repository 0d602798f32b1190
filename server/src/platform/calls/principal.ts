import type { Actor, Tenant } from '../../contract/context.ts'
import type { ProfileId } from '../../contract/ids.ts'
import type { OperationFacts } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import type { Scope, ScopeCatalog } from '../../contract/scopes.ts'
import type { Id } from '../../core/id.ts'

/** The party that a call is made for. A surface makes it from a key, a signature or a session. Nothing else tells callers apart. */
export type Principal = {
  readonly tenant: Tenant
  readonly actor: Actor
  /** The key of the call; null where there is none. */
  readonly keyId: Id<'key'> | null
  /** The one profile that the caller acts for; null: every profile of the account. */
  readonly profileId: ProfileId | null
  readonly scopes: ReadonlySet<Scope>
  /**
   * Its credentials stand in a web page, where anybody can copy them: it sees what everybody sees in its mode, and takes no place from its
   * account.
   */
  readonly isOfPage?: true
  /** A signature was shown. It stands for one request, of an operation that takes signatures. */
  readonly isSigner?: true
  /**
   * The principal of the same credentials at this moment; null once they have ended. Calls that last ask for it again: streams, waits.
   */
  renew(): Principal | null | Promise<Principal | null>
}

/** The account of callers that own nothing. */
const nobodysAccount: Id<'acct'> = 'acct_anonymous'

/** The account whose own things a caller sees before they are published. */
export function viewerOf({ isOfPage, tenant }: Principal): Id<'acct'> {
  return isOfPage ? nobodysAccount : tenant.accountId
}

/** A caller without credentials: live mode, and an account that owns nothing. */
export function nobodyOf({ presets }: ScopeCatalog): Principal {
  const nobody: Principal = {
    tenant: { accountId: nobodysAccount, mode: 'live' },
    actor: { type: 'anonymous', id: null },
    keyId: null,
    profileId: null,
    scopes: new Set<Scope>(presets.discovery),
    renew: () => nobody,
  }
  return nobody
}

/**
 * Whether the caller acts for the account whose rows the call sees. A stranger takes nothing of what that account may have at once, nor
 * does a page, whose key anybody can show.
 */
export function actsForAccount({ actor, isOfPage }: Principal): boolean {
  return actor.type !== 'anonymous' && !isForeign(actor) && !isOfPage
}

/** Callers of other protocols act at one merchant, and have only the operations of their protocol. */
function isForeign({ type }: Actor): boolean {
  return type === 'platform' || type === 'payer'
}

/** Why a caller may not use an operation; null: the caller may use it. */
export function barOf(principal: Principal, operation: OperationFacts): Problem | null {
  const { actor, scopes, isSigner, profileId, keyId } = principal
  if (operation.auth === 'none') return null
  const isForForeigners = operation.auth === 'platform' || operation.auth === 'payer'
  if (isForeign(actor) ? actor.type !== operation.auth : isForForeigners) return new Problem('unauthorized')
  if (actor.type === 'anonymous' && operation.auth !== 'optional') return new Problem('unauthorized')
  if (isSigner && operation.auth !== 'signed') return new Problem('unauthorized')
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
