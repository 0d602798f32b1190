import type { Mode } from '../../../../contract/context.ts'
import { statement } from '../../../../contract/statement.ts'
import type { Id } from '../../../../core/id.ts'
import { correlate, sql } from '../../../../platform/database/fragment.ts'
import { profileName } from '../../../buyers/profiles/reads.sql.ts'
import type { IntentRow } from '../intent.ts'

export type AuditRowRow = Pick<
  IntentRow,
  | 'id'
  | 'profile_id'
  | 'status'
  | 'pays_by_token'
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
  | 'updated_at'
  | 'completed_at'
> & { profile_name: string; item_count: number; failure_code: string | null }

export type AuditRowFilter = {
  account_id: Id<'acct'>
  mode: Mode
  status: string | null
  profile_id: string | null
}

// A filter that is null is not applied.
// guard tenant-of-audit-trail: rows of other accounts and of the other mode do not exist for the caller
const filter = `i.account_id = $account_id and i.mode = $mode
  and ($status::text is null or i.status = $status)
  and ($profile_id::text is null or i.profile_id = $profile_id)`

/** Columns of an intent `i` and its profile `p`. */
export const auditRowColumns = `i.id, i.profile_id, p.name as profile_name, i.status, i.pays_by_token, i.currency,
  i.expected_amount, i.max_allowed_amount, i.actual_amount, i.merchants, jsonb_array_length(i.items) as item_count,
  i.policy_result, i.approved_by, i.actor_type, i.actor_id, i.failure->>'code' as failure_code, i.created_at, i.updated_at, i.completed_at`

/** The profile's name for an intent `i`. */
export const nameOfProfile = correlate(profileName, {
  account_id: 'i.account_id',
  mode: 'i.mode',
  profile_id: 'i.profile_id',
})

export const selectAuditRows = statement<AuditRowRow, AuditRowFilter & { limit: number; offset: number }>(
  '',
  sql`select ${auditRowColumns}
   from (select * from purchase_intents i where ${filter} order by i.id desc limit $limit + 1 offset $offset) as i
   cross join lateral ${nameOfProfile} p
   order by i.id desc`,
)

export const countAuditRows = statement<{ counted: number }, AuditRowFilter & { cap: number }>(
  '',
  `select count(*)::int as counted from (select 1 from purchase_intents i where ${filter} limit $cap + 1) as first_ones`,
)
