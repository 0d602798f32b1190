import type { ActingContext } from '../../../contract/context.ts'
import { lockAccountRow, lockNamedAgentRows } from './api-keys.sql.ts'

type Locking = Pick<ActingContext, 'tenant' | 'tx'>

/** Whoever counts what an account has, and adds one, locks it first: one after the other, the count holds. */
export async function lockAccount({ tenant, tx }: Locking): Promise<void> {
  await tx.maybe(lockAccountRow({ account_id: tenant.accountId }))
}

/** Locks the agents that these ids mean, as they are named: one that is being joined to another is waited for. */
export async function lockNamedAgents({ tenant, tx }: Locking, ids: readonly string[]): Promise<void> {
  await tx.rows(lockNamedAgentRows({ account_id: tenant.accountId, mode: tenant.mode, key_ids: ids }))
}
