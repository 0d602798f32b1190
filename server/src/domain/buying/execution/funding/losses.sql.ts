import type { Mode } from '../../../../contract/context.ts'
import { statement } from '../../../../contract/statement.ts'

/** What a shop has of an issued card and no buyer has paid, in minor units of `currency`. */
type CardLoss = {
  account_id: string
  intent_id: string
  cart_id: string
  attempt: number
  currency: string
  taken: bigint
  paid: bigint
  at: Date
}

/**
 * Cards of which the operator bears a part: a shop took more than it was allowed, or took money for no purchase, or after the buyer's bank
 * had let go. The newest first.
 */
export const selectCardLosses = statement<CardLoss, { mode: Mode; limit: number }>(
  'select_card_losses',
  `/* tenantless: for the operator, of every account_id */
   select * from (
     select a.account_id, a.intent_id, a.cart_id, a.attempt, a.currency, a.captured_amount + a.beyond_limit - a.refunded_amount as taken,
       f.captured_amount - f.returned_amount as paid, a.updated_at as at
     from fundings f
     join authorizations a on a.account_id = f.account_id and a.mode = f.mode and a.cart_id = f.cart_id and a.attempt = f.attempt
     where f.mode = $mode and f.status <> 'authorized') as cards
   where taken > paid order by at desc limit $limit`,
)
