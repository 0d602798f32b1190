import type { Statement } from '../../contract/statement.ts'
import type { RelayedEvent } from '../events/follower.ts'
import { insertEntries, lockHeads, storeHeads, type TenantKey } from './audit.sql.ts'
import { type AuditEntry, type AuditHead, emptyHead, nextEntry } from './audit-chain.ts'

/** The statement that locks the chains which these events will lengthen. */
export function lockChains(events: readonly RelayedEvent[]) {
  const tenants = new Map(events.map(({ tenant }) => [`${tenant.accountId}/${tenant.mode}`, tenant]))
  const held = [...tenants.values()]
  return lockHeads({
    account_ids: held.map(({ accountId }) => accountId),
    modes: held.map(({ mode }) => mode),
  })
}

/** The writes that put one entry per event on its tenant's chain, given the locked heads. */
export function chainEvents(
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
