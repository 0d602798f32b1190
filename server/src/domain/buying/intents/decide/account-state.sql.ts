import type { Mode } from '../../../../contract/context.ts'
import { statement } from '../../../../contract/statement.ts'
import type { Id } from '../../../../core/id.ts'
import { sql } from '../../../../platform/database/fragment.ts'
import { accountById } from '../../../accounts/api-keys/reads.sql.ts'
import type { Freezes } from '../../../accounts/controls/public.ts'
import { freezesOf } from '../../../accounts/controls/reads.sql.ts'

type AccountStateRow = Freezes & { settings: Record<string, unknown> }

/** The state of an account, for a first decision that releases nothing: no lock, so that a create costs none. */
export const selectAccountState = statement<AccountStateRow, { account_id: Id<'acct'>; mode: Mode }>(
  'select_purchase_standing',
  sql`select a.settings, coalesce(c.frozen, false) as frozen, coalesce(c.frozen_profile_ids, '{}') as frozen_profile_ids,
     coalesce(c.frozen_agent_ids, '{}') as frozen_agent_ids
   from ${accountById} a left join ${freezesOf} c on true`,
)
