import type { Tenant } from '../../contract/context.ts'
import type { Pools } from '../database/pool.ts'
import { openTransaction } from '../database/transaction.ts'
import {
  deleteEvents,
  insertEntries,
  keepSharedObjects,
  lockHeads,
  selectChained,
  storeHeadsOf,
} from './audit.sql.ts'
import { type AuditEntry, erasureEntry } from './audit-chain.ts'
import type { AuditKeys } from './audit-keys.ts'

type Erasure = { readonly eventIds: readonly string[]; readonly reason: string; readonly at: Date }

/**
 * Removes events of one tenant and says so in its chain, in one transaction: an event that is missing without that is a break. Only the
 * owner of the tables may do it, not the roles that serve. Events that no chain holds yet stay. Returns how many were removed.
 */
export async function eraseEvents(
  pools: Pools,
  keys: AuditKeys,
  tenant: Tenant,
  { eventIds, reason, at }: Erasure,
): Promise<number> {
  const { accountId: account_id, mode } = tenant
  const tx = openTransaction(pools)
  try {
    const [head] = await tx.rows(lockHeads({ account_ids: [account_id], modes: [mode] }))
    const chained = await tx.rows(selectChained({ account_id, mode, event_ids: [...eventIds] }))
    if (!head || chained.length === 0) {
      await tx.rollback()
      return 0
    }
    const entries: AuditEntry[] = []
    // Between the events of one entry there must be no event that stays, because an erasure names a range.
    for (const run of runsOf(chained)) {
      const [first, last] = [run[0]?.position ?? 0n, run.at(-1)?.position ?? 0n]
      const range = { first, last, count: BigInt(run.length) }
      const digests = run.map(({ digest }) => digest)
      entries.push(erasureEntry(keys, tenant, entries.at(-1) ?? head, { range, digests, reason, at }))
    }
    tx.write(insertEntries(entries))
    tx.write(storeHeadsOf(entries.slice(-1)))
    tx.write(keepSharedObjects({ account_id, mode, event_ids: chained.map(({ event_id }) => event_id) }))
    tx.write(deleteEvents({ account_id, mode, event_ids: chained.map(({ event_id }) => event_id) }))
    await tx.commit([])
    return chained.length
  } catch (error) {
    await tx.rollback()
    throw error
  }
}

function runsOf<Row extends { position: bigint }>(rows: readonly Row[]): Row[][] {
  const runs: Row[][] = []
  for (const row of rows) {
    const run = runs.at(-1)
    if (run?.at(-1)?.position === row.position - 1n) run.push(row)
    else runs.push([row])
  }
  return runs
}
