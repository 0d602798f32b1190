import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'

export type AccountStateRow = {
  settings: Record<string, unknown>
  frozen: boolean
  frozen_profile_ids: string[]
  frozen_agent_ids: string[]
}

/** How an account stands, for a first decision that releases nothing: no lock, so that a create costs none. */
export const selectAccountState = statement<AccountStateRow, { account_id: Id<'acct'>; mode: Mode }>(
  'select_purchase_standing',
  `select a.settings, coalesce(c.frozen, false) as frozen, coalesce(c.frozen_profile_ids, '{}') as frozen_profile_ids,
     coalesce(c.frozen_agent_ids, '{}') as frozen_agent_ids
   from accounts a left join controls c on c.account_id = a.id and c.mode = $mode
   where a.id = $account_id`,
)
