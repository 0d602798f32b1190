import type { PastIntentReads } from '../../../policies/public.ts'
import { selectPastIntentIds, selectPastIntents } from './past-intents.sql.ts'

export const pastIntents: PastIntentReads = {
  async newest({ tenant, reads }, { profileId, createdAfter, createdBefore, limit }) {
    const rows = await reads.rows(
      selectPastIntentIds({
        account_id: tenant.accountId,
        mode: tenant.mode,
        profile_id: profileId,
        created_after: createdAfter,
        created_before: createdBefore,
        limit,
      }),
    )
    return rows.map(({ id }) => id)
  },
  page: ({ tenant, reads }, ids) =>
    reads.rows(selectPastIntents({ account_id: tenant.accountId, mode: tenant.mode, ids })),
}
