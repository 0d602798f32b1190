import type { Mode } from '../../../contract/context.ts'
import type { Fragment } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { sql } from '../../../platform/database/fragment.ts'
import type { RunningPromotion } from './promotion.ts'
import { columns } from './promotions.sql.ts'

/** The promotions that a merchant may be offering at this moment, the oldest first; their own times decide whether they apply. */
export const runningPromotions: Fragment<RunningPromotion, { account_id: Id<'acct'>; mode: Mode }> =
  sql`select ${columns} from promotions p
   where p.account_id = $account_id and p.mode = $mode and p.status in ('scheduled', 'active') order by p.id limit 100`

export const runningTimes = [
  'starts_at',
  'ends_at',
  'due_at',
  'created_at',
  'updated_at',
  'published_at',
  'ended_at',
  'archived_at',
] as const satisfies readonly (keyof RunningPromotion)[]
