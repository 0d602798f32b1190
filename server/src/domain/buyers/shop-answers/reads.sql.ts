import type { Mode } from '../../../contract/context.ts'
import type { Fragment } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { sql } from '../../../platform/database/fragment.ts'

/** What a profile keeps for the shops of these hosts, by the hosts themselves and their domains; not the values. */
export const keptLabels: Fragment<
  { host: string; name: string; label: string },
  { account_id: Id<'acct'>; mode: Mode; profile_id: string; answer_domains: readonly string[] }
> = sql`select host, name, label from shop_answers
   where account_id = $account_id and mode = $mode and profile_id = $profile_id and domain = any($answer_domains::text[])
   order by host, name`
