import type { Reads, Tenant } from '../../../contract/context.ts'
import type { ProfileFacts } from './profile.ts'
import { selectProfile } from './profiles.sql.ts'

/** The tenant's profile of this id, archived or not. */
export function readProfile(
  reads: Pick<Reads, 'maybe'>,
  { accountId, mode }: Tenant,
  id: string,
): Promise<ProfileFacts | null> {
  return reads.maybe(selectProfile({ account_id: accountId, mode, id }))
}
