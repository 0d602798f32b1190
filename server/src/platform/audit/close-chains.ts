import { isRetryable } from '../database/errors.ts'
import type { Pools } from '../database/pool.ts'
import { type DatabaseTransaction, inTransaction } from '../database/transaction.ts'
import {
  insertEntries,
  lockAllHeads,
  lockPlainHeads,
  readClosing,
  recordClosing,
  storeHeadsOf,
} from './audit.sql.ts'
import { closingEntry } from './audit-chain.ts'
import type { AuditKeys } from './audit-keys.ts'

const pageSize = 500
/** The last page waits for every batch that is under way; no further batch is kept waiting for longer than that. */
const attemptsMax = 10

/**
 * Ends every chain that began without a key with a signed entry, once in the life of a database. After that the database refuses entries
 * without a key. Returns how many chains were closed; null: it had been done before. Several processes may run it at once.
 */
export async function closeChains(pools: Pools, keys: AuditKeys): Promise<number | null> {
  if (await isClosed(pools)) return null
  let closed = 0
  for (;;) {
    const page = await inTransaction(pools, (tx) => closePage(tx, keys))
    closed += page
    if (page < pageSize) break
  }
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransaction(pools, async (tx) => {
        // A transaction that is about to begin a chain has read that chains are open: the rest is closed while there is no such
        // transaction.
        await tx.rows(lockAllHeads({}))
        let chains = closed
        for (let page = pageSize; page === pageSize; chains += page) page = await closePage(tx, keys)
        tx.write(recordClosing({ chains, key_id: keys.currentId }))
        return chains
      })
    } catch (error) {
      if (!isRetryable(error) || attempt === attemptsMax) throw error
    }
  }
}

async function isClosed(pools: Pick<Pools, 'read'>): Promise<boolean> {
  const [row] = await pools.read(readClosing({}))
  return row?.is_closed ?? false
}

async function closePage(tx: DatabaseTransaction, keys: AuditKeys): Promise<number> {
  const heads = await tx.rows(lockPlainHeads({ limit: pageSize }))
  if (heads.length === 0) return 0
  const entries = heads.map(({ account_id: accountId, mode, now, ...head }) =>
    closingEntry(keys, { accountId, mode }, head, now),
  )
  tx.write(insertEntries(entries))
  tx.write(storeHeadsOf(entries))
  return heads.length
}
