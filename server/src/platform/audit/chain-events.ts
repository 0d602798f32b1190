import type { Statement } from '../../contract/statement.ts'
import type { Follower, FollowTransaction, RelayedEvent } from '../events/follower.ts'
import { beginChains, insertEntries, lockHeads, storeHeadsOf, type TenantKey } from './audit.sql.ts'
import { type AuditEntry, type AuditHead, emptyHead, nextEntry, schemes } from './audit-chain.ts'
import type { AuditKeys } from './audit-keys.ts'

/**
 * Puts one entry per event on its tenant's chain, in the transaction of whoever relays them. Locking the ends of the chains is the one
 * statement that is awaited, but for a tenant's first events.
 */
export async function chainEvents(
  keys: AuditKeys,
  tx: Pick<FollowTransaction, 'rows' | 'write'>,
  events: readonly RelayedEvent[],
): Promise<void> {
  const tenants = new Map(events.map(({ tenant }) => [`${tenant.accountId}/${tenant.mode}`, tenant]))
  const account_ids = [...tenants.values()].map(({ accountId }) => accountId)
  const modes = [...tenants.values()].map(({ mode }) => mode)
  let heads = await tx.rows(lockHeads({ account_ids, modes }))
  if (heads.length < tenants.size) {
    tx.write(beginChains({ account_ids, modes, hash: emptyHead.hash, scheme: emptyHead.scheme }))
    heads = await tx.rows(lockHeads({ account_ids, modes }))
  }
  for (const write of entriesOf(keys, events, heads)) tx.write(write)
}

/** The chain as a follower among others, where one of them has failed: what cannot be chained now is chained later, and goes on. */
export function followByChaining(keys: AuditKeys): Follower {
  const known = chaining.get(keys)
  if (known) return known
  const follower: Follower = { name: 'audit', follow: (tx, events) => chainEvents(keys, tx, events) }
  chaining.set(keys, follower)
  return follower
}

/** Followers are told apart by what they are. */
const chaining = new WeakMap<AuditKeys, Follower>()

/** The writes that put one entry per event on its tenant's chain, given the locked heads. */
function entriesOf(
  keys: AuditKeys,
  events: readonly RelayedEvent[],
  heads: readonly (TenantKey & AuditHead)[],
): Statement<unknown>[] {
  const ends = new Map<string, AuditHead>(heads.map((head) => [`${head.account_id}/${head.mode}`, head]))
  const entries: AuditEntry[] = []
  const lasts = new Map<string, AuditEntry>()
  for (const event of events) {
    const chain = `${event.tenant.accountId}/${event.tenant.mode}`
    const head = ends.get(chain) ?? emptyHead
    // Closing is done once, before anything is relayed: a chain that has lost it since is not one to sign.
    if (head.position > 0n && head.scheme === schemes.plain) {
      throw new Error(`the audit chain ${chain} has no closing entry under a key`)
    }
    const entry = nextEntry(keys, head, event)
    entries.push(entry)
    ends.set(chain, entry)
    lasts.set(chain, entry)
  }
  return [insertEntries(entries), storeHeadsOf([...lasts.values()])]
}
