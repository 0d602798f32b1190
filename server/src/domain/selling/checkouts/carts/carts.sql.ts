import { statement } from '../../../../contract/statement.ts'
import { aggregate } from '../../../../platform/aggregate/aggregate.ts'
import { byAge, type Sweep, type Swept } from '../../../../platform/retention/sweep.ts'
import type { CartRow } from './cart.ts'

const carts = aggregate<CartRow>()({
  table: 'checkout_carts',
  columns: `account_id, mode, id, platform, is_signed, state, currency, lines, buyer, codes, price, messages, attribution, checkout_id, expires_at,
    created_at, updated_at`,
  key: ['id'],
  json: ['lines', 'buyer', 'codes', 'price', 'messages', 'attribution'],
  fixed: ['platform', 'is_signed'],
})

export const insertCart = carts.insert('insert_checkout_cart')
export const selectCart = carts.select('select_checkout_cart')
export const lockCart = carts.lock('lock_checkout_cart', 'for update')
/** Under a lock of the row. */
export const updateCart = carts.update('update_checkout_cart')

const deleteOldCarts = statement<Swept, { before: Date; limit: number }>(
  'sweep_checkout_carts',
  `/* tenantless: a sweep is of every account */
   with old as (
     select account_id, mode, id from checkout_carts where expires_at < $before order by expires_at limit $limit
       for update skip locked
   ), gone as (
     delete from checkout_carts c using old o where c.account_id = o.account_id and c.mode = o.mode and c.id = o.id
       returning c.expires_at
   )
   select count(*)::int as rows, min(expires_at) as oldest from gone`,
)

/** A checkout that was made of a cart has all that it needs. */
export const sweepCarts: Sweep = {
  name: 'checkout_carts',
  removes: 'carts of platforms',
  keeps: 'finishedWorkDays',
  batches: (pools, before) => byAge(pools, (limit) => deleteOldCarts({ before, limit })),
}
