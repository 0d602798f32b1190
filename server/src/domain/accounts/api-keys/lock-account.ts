import type { ActingContext } from '../../../contract/context.ts'
import { lockAccountRow, lockNamedAgentRows } from './api-keys.sql.ts'

type Locking = Pick<ActingContext, 'tenant' | 'tx'>

/**
 * A call that counts the objects of an account, and adds one, locks the account first: one call after the other, so that the count stays
 * right.
 */
export async function lockAccount({ tenant, tx }: Locking): Promise<void> {
  await tx.maybe(lockAccountRow({ account_id: tenant.accountId }))
}

/** Locks the agents that these ids mean, before they are stored: it waits for an agent that is being joined to another. */
export async function lockNamedAgents({ tenant, tx }: Locking, ids: readonly string[]): Promise<void> {
  await tx.rows(lockNamedAgentRows({ account_id: tenant.accountId, mode: tenant.mode, key_ids: ids }))
}
