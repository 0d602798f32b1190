import type { Mode } from '../../contract/context.ts'
import { statement } from '../../contract/statement.ts'
import type { Id } from '../../core/id.ts'
import type { SoldItem } from './merchant-identity.ts'

/** What a simulation needs of an intent that was made. Read-only: intents belong to a slice above this one. */
export type PastIntentRow = {
  id: string
  created_at: Date
  profile_id: string
  /** Whose key made it. */
  agent_id: string | null
  status: string
  currency: string
  expected_amount: bigint
  max_allowed_amount: bigint
  actual_amount: bigint
  fee_allowance: bigint
  items: SoldItem[]
  shipping_country: string | null
  is_over: boolean
}

export type PastIntentFilter = {
  account_id: Id<'acct'>
  mode: Mode
  /** For this profile alone. */
  profile_id: string | null
  created_after: string | null
  created_before: string | null
  limit: number
}

/** The newest intents of a period: the oldest of them first. */
export const selectPastIntentIds = statement<{ id: string }, PastIntentFilter>(
  '',
  `select id from (
     select id from purchase_intents i
     where account_id = $account_id and mode = $mode
       and ($profile_id::text is null or profile_id = $profile_id)
       and ($created_after::timestamptz is null or created_at > $created_after)
       and ($created_before::timestamptz is null or created_at < $created_before)
     order by id desc limit $limit) as newest
   order by id`,
)

/** These intents, in the order of their ids; of their items, which hold whatever callers wrote, what policies look at. */
export const selectPastIntents = statement<
  PastIntentRow,
  Pick<PastIntentFilter, 'account_id' | 'mode'> & { ids: readonly string[] }
>(
  'select_past_intents',
  `select id, created_at, profile_id,
     (select k.agent_id from api_keys k
      where k.account_id = i.account_id and k.mode = i.mode and k.id = i.api_key_id) as agent_id, status, currency, expected_amount, max_allowed_amount, actual_amount, fee_allowance,
     (select jsonb_agg(jsonb_build_object('url', item -> 'url', 'mcc', item -> 'mcc', 'country', item -> 'country')
        || case when item ? 'merchant' then jsonb_build_object('merchant', item -> 'merchant') else '{}' end order by number)
      from jsonb_array_elements(i.items) with ordinality as listed (item, number)) as items,
     fulfillment ->> 'country' as shipping_country, completed_at is not null as is_over
   from purchase_intents i
   where account_id = $account_id and mode = $mode and id = any($ids::text[])
   order by id`,
)
