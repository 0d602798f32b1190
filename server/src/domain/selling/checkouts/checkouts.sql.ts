import { statement } from '../../../contract/statement.ts'
import { aggregate, type Tenanted } from '../../../platform/aggregate/aggregate.ts'
import { byAge, type Sweep, type Swept } from '../../../platform/retention/sweep.ts'
import type { CheckoutRow } from './checkout.ts'

const checkouts = aggregate<CheckoutRow>()({
  table: 'checkouts',
  columns: `account_id, mode, id, platform, is_signed, state, currency, lines, buyer, delivery, codes, price, messages, attribution, notify, payments,
    sale_id, order_id, expires_at, created_at, updated_at`,
  key: ['id'],
  json: ['lines', 'buyer', 'delivery', 'codes', 'price', 'messages', 'attribution', 'notify'],
  fixed: ['platform', 'is_signed'],
})

export const insertCheckout = checkouts.insert('insert_checkout')
export const selectCheckout = checkouts.select('select_checkout')
export const lockCheckout = checkouts.lock('lock_checkout', 'for update')
/** Under a lock of the row. */
export const updateCheckout = checkouts.update('update_checkout')

export const selectCheckoutOfOrder = statement<CheckoutRow, Tenanted & { order_id: string }>(
  'select_checkout_of_order',
  `select ${checkouts.columns} from checkouts where account_id = $account_id and mode = $mode and order_id = $order_id`,
)

const deleteOldCheckouts = statement<Swept, { before: Date; limit: number }>(
  'sweep_checkouts',
  `/* tenantless: a sweep is of every account */
   with old as (
     select account_id, mode, id from checkouts where order_id is null and expires_at < $before order by expires_at limit $limit
       for update skip locked
   ), gone as (
     delete from checkouts c using old o where c.account_id = o.account_id and c.mode = o.mode and c.id = o.id
       returning c.expires_at
   )
   select count(*)::int as rows, min(expires_at) as oldest from gone`,
)

/** Checkouts for which nobody ever began to pay; whatever had to do with money stays. */
export const sweepCheckouts: Sweep = {
  name: 'checkouts',
  removes: 'checkouts that nobody began to pay',
  keeps: 'finishedWorkDays',
  batches: (pools, before) => byAge(pools, (limit) => deleteOldCheckouts({ before, limit })),
}
