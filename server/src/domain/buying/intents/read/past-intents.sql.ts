import type { Mode } from '../../../../contract/context.ts'
import { statement } from '../../../../contract/statement.ts'
import type { Id } from '../../../../core/id.ts'
import { correlate, sql } from '../../../../platform/database/fragment.ts'
import { agentOfKey } from '../../../accounts/api-keys/reads.sql.ts'
import type { PastIntent } from '../../../policies/public.ts'

type PastIntentFilter = {
  account_id: Id<'acct'>
  mode: Mode
  /** For this profile only. */
  profile_id: string | null
  created_after: string | null
  created_before: string | null
  limit: number
}

const itsAgent = correlate(agentOfKey, { account_id: 'i.account_id', mode: 'i.mode', key_id: 'i.api_key_id' })

/** The newest intents of a period, in order from the oldest of them. */
export const selectPastIntentIds = statement<{ id: string }, PastIntentFilter>(
  '',
  // guard own-past-purchases: an agent of one customer sees the rows of that customer
  `select id from (
     select id from purchase_intents i
     where account_id = $account_id and mode = $mode
       and ($profile_id::text is null or profile_id = $profile_id)
       and ($created_after::timestamptz is null or created_at > $created_after)
       and ($created_before::timestamptz is null or created_at < $created_before)
     order by id desc limit $limit) as newest
   order by id`,
)

/** These intents, in the order of their ids. Of their items, which hold whatever callers wrote, only what policies look at. */
export const selectPastIntents = statement<
  PastIntent,
  Pick<PastIntentFilter, 'account_id' | 'mode'> & { ids: readonly string[] }
>(
  'select_past_intents',
  // guard tenant-of-replayed-purchases: rows of other accounts and of the other mode do not exist for the caller
  sql`select id, created_at, profile_id,
     ${itsAgent} as agent_id, payment_method_id, status, currency, expected_amount, max_allowed_amount, actual_amount, fee_allowance,
     (select jsonb_agg(jsonb_build_object('url', item -> 'url', 'mcc', item -> 'mcc', 'country', item -> 'country')
        || case when item ? 'merchant' then jsonb_build_object('merchant', item -> 'merchant') else '{}' end order by number)
      from jsonb_array_elements(i.items) with ordinality as listed (item, number)) as items,
     fulfillment ->> 'country' as shipping_country, completed_at is not null as is_over
   from purchase_intents i
   where account_id = $account_id and mode = $mode and id = any($ids::text[])
   order by id`,
)
