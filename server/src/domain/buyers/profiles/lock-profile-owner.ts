import type { ActingContext } from '../../../contract/context.ts'
import { lockOwnerRow } from './profiles.sql.ts'

/** A call that adds to a profile locks it first, so that two such calls see each other. */
export function lockProfileOwner(
  { tenant, tx }: Pick<ActingContext, 'tenant' | 'tx'>,
  profileId: string,
): Promise<{ addresses: { id: string }[]; status: string } | null> {
  return tx.maybe(lockOwnerRow({ account_id: tenant.accountId, mode: tenant.mode, profile_id: profileId }))
}
