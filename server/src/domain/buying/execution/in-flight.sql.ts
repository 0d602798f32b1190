import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { sql } from '../../../platform/database/fragment.ts'
import { keysOfAgent } from '../../accounts/api-keys/reads.sql.ts'
import type { CallInFlight } from '../../accounts/controls/public.ts'
import { storedCarts, storedIntents } from '../intents/reads.sql.ts'

type Tenanted = { account_id: Id<'acct'>; mode: Mode }

/**
 * External calls that may still take effect: a worker is making them, or their outcome is unknown. An order with a merchant of ours is a
 * row of our own and is not counted. Journal rows are committed under the share lock, so under `lockControlForUpdate` this sees every
 * call that was journaled before the freeze.
 */
export const selectInFlight = statement<
  CallInFlight,
  Tenanted & { profile_id: string | null; agent_id: string | null }
>(
  '',
  sql`select e.cart_id, e.intent_id as purchase_intent_id, e.step, e.state, e.sent_at as since
   from effects e
   join ${storedIntents} i on i.account_id = e.account_id and i.mode = e.mode and i.id = e.intent_id
   join ${storedCarts} c on c.account_id = e.account_id and c.mode = e.mode and c.id = e.cart_id
   where e.account_id = $account_id and e.mode = $mode and e.state in ('sent', 'unknown')
     and not (e.step = 'place' and c.channel = 'native')
     and ($profile_id::text is null or i.profile_id = $profile_id)
     and ($agent_id::text is null or i.api_key_id in ${keysOfAgent})
   order by e.sent_at, e.cart_id, e.step limit 1000`,
)
