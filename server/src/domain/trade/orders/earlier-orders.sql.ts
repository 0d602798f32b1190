import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'

type Customer = { merchant_account_id: Id<'acct'>; mode: Mode; email: string }

/** Whether a person with this e-mail address has an order of the merchant that is confirmed, or may still be. */
export const selectEarlierOrder = statement<{ has_ordered: boolean }, Customer>(
  'select_earlier_order',
  `select exists (
     select 1 from orders where merchant_account_id = $merchant_account_id and mode = $mode
       and lower(customer ->> 'email') = lower($email) and status not in ('rejected', 'expired', 'cancelled')) as has_ordered`,
)
