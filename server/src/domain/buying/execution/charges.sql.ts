import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'

/** The amount that the rail has captured and not refunded for one attempt of a cart; 0 where it captured nothing of its hold. */
export const selectCharge = statement<
  { captured_amount: bigint },
  { account_id: Id<'acct'>; mode: Mode; cart_id: string; attempt: number }
>(
  'select_cart_charge',
  `select case when status = 'captured' then captured_amount else 0 end as captured_amount from authorizations
   where account_id = $account_id and mode = $mode and cart_id = $cart_id and attempt = $attempt`,
)
