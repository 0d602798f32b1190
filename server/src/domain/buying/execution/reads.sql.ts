import type { Mode } from '../../../contract/context.ts'
import type { Fragment } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { sql } from '../../../platform/database/fragment.ts'

/** What the rail holds for the first attempt of a cart. */
export const holdOfFirstAttempt: Fragment<
  { reference: string; rail: string | null; claimed_at: Date | null },
  { account_id: Id<'acct'>; mode: Mode; cart_id: string }
> = sql`select reference, rail, claimed_at from authorizations
   where account_id = $account_id and mode = $mode and cart_id = $cart_id and attempt = 1`
