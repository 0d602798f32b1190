import type { Mode } from '../../contract/context.ts'
import { statement } from '../../contract/statement.ts'
import type { Id } from '../../core/id.ts'
import type { IntentRow } from './intent.ts'

export type AuditRowRow = Pick<
  IntentRow,
  | 'id'
  | 'profile_id'
  | 'status'
  | 'currency'
  | 'expected_amount'
  | 'max_allowed_amount'
  | 'actual_amount'
  | 'merchants'
  | 'policy_result'
  | 'approved_by'
  | 'actor_type'
  | 'actor_id'
  | 'created_at'
  | 'completed_at'
> & { profile_name: string; item_count: number; failure_code: string | null }

type Filter = {
  account_id: Id<'acct'>
  mode: Mode
  status: string | null
  profile_id: string | null
  q: string | null
}

// A null filter is no filter. Names are searched where they are, so that a renamed profile is found.
const filter = `i.account_id = $account_id and i.mode = $mode
  and ($status::text is null or i.status = $status)
  and ($profile_id::text is null or i.profile_id = $profile_id)
  and ($q::text is null or i.search like $q or i.profile_id in (
    select id from profiles where account_id = $account_id and mode = $mode and search like $q))`

export const selectAuditRows = statement<AuditRowRow, Filter & { limit: number; offset: number }>(
  '',
  `select i.id, i.profile_id, p.first_name || ' ' || p.last_name as profile_name, i.status, i.currency, i.expected_amount,
     i.max_allowed_amount, i.actual_amount, i.merchants,
     jsonb_array_length(i.items) as item_count,
     i.policy_result, i.approved_by, i.actor_type, i.actor_id, i.failure->>'code' as failure_code, i.created_at, i.completed_at
   from (select * from purchase_intents i where ${filter} order by i.id desc limit $limit + 1 offset $offset) as i
   join profiles p on p.account_id = i.account_id and p.mode = i.mode and p.id = i.profile_id
   order by i.id desc`,
)

export const countAuditRows = statement<{ counted: number }, Filter & { cap: number }>(
  '',
  `select count(*)::int as counted from (select 1 from purchase_intents i where ${filter} limit $cap + 1) as first_ones`,
)
