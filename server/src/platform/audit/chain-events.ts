import type { Statement } from '../../contract/statement.ts'
import type { Follower, FollowTransaction, RelayedEvent } from '../events/follower.ts'
import { beginChains, insertEntries, lockHeads, storeHeads, type TenantKey } from './audit.sql.ts'
import { type AuditEntry, type AuditHead, emptyHead, nextEntry } from './audit-chain.ts'

/**
 * Puts one entry per event on its tenant's chain, in the transaction of whoever relays them. Locking the ends of the chains is the one
 * statement that is awaited, but for a tenant's first events.
 */
export async function chainEvents(
  tx: Pick<FollowTransaction, 'rows' | 'write'>,
  events: readonly RelayedEvent[],
): Promise<void> {
  const tenants = new Map(events.map(({ tenant }) => [`${tenant.accountId}/${tenant.mode}`, tenant]))
  const account_ids = [...tenants.values()].map(({ accountId }) => accountId)
  const modes = [...tenants.values()].map(({ mode }) => mode)
  let heads = await tx.rows(lockHeads({ account_ids, modes }))
  if (heads.length < tenants.size) {
    tx.write(beginChains({ account_ids, modes, hash: emptyHead.hash }))
    heads = await tx.rows(lockHeads({ account_ids, modes }))
  }
  for (const write of entriesOf(events, heads)) tx.write(write)
}

/** The chain as a follower among others, where one of them has failed: what cannot be chained now is chained later, and goes on. */
export const followByChaining: Follower = { name: 'audit', follow: chainEvents }

/** The writes that put one entry per event on its tenant's chain, given the locked heads. */
function entriesOf(
  events: readonly RelayedEvent[],
  heads: readonly (TenantKey & AuditHead)[],
): Statement<unknown>[] {
  const ends = new Map<string, AuditHead>(heads.map((head) => [`${head.account_id}/${head.mode}`, head]))
  const entries: AuditEntry[] = []
  const lasts = new Map<string, AuditEntry>()
  for (const event of events) {
    const chain = `${event.tenant.accountId}/${event.tenant.mode}`
    const entry = nextEntry(ends.get(chain) ?? emptyHead, event)
    entries.push(entry)
    ends.set(chain, entry)
    lasts.set(chain, entry)
  }
  const last = [...lasts.values()]
  return [
    insertEntries(entries),
    storeHeads({
      account_ids: last.map((entry) => entry.accountId),
      modes: last.map((entry) => entry.mode),
      positions: last.map((entry) => entry.position.toString()),
      hashes: last.map((entry) => entry.hash),
    }),
  ]
}
