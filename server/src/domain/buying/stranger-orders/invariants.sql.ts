import { statement } from '../../../contract/statement.ts'
import type { Invariant, InvariantRow } from '../../../platform/audit/invariants.ts'

type Nothing = Record<never, never>

const checkCarts = statement<InvariantRow, Nothing>(
  'invariant_stranger_orders',
  `/* tenantless: invariants hold for everybody */
   with broken as (
     select o.id from orders o
     left join carts c on c.account_id = o.account_id and c.mode = o.mode and c.id = o.cart_id
     where o.channel <> 'native'
       and (c.id is null or c.order_row_id is distinct from o.id or c.status <> 'succeeded' or c.channel <> o.channel)
     union all
     select s.order_id from stranger_orders s
     left join orders o on o.account_id = s.account_id and o.mode = s.mode and o.id = s.order_id and o.channel <> 'native'
     where o.id is null)
   select (select count(*) from orders where channel <> 'native') as checked,
     (select array_agg(id) from (select id from broken limit 100) as first_ones) as violations`,
)

const checkMessages = statement<InvariantRow, Nothing>(
  'invariant_order_messages',
  `/* tenantless: invariants hold for everybody */
   select count(*) as checked,
     (array_agg(coalesce(m.order_id, encode(m.message, 'hex'))) filter (where
       m.state = 'kept' and s.order_id is not null
       or m.state <> 'kept' and (s.order_id is distinct from m.order_id or s.account_id is distinct from m.account_id
         or s.mode is distinct from m.mode)
       or m.state = 'applied' and (s.told_at is null or s.told_at < m.sent_at)))[1:100] as violations
   from order_messages m
   left join stranger_orders s on s.sender = m.sender and s.checkout = m.checkout`,
)

export const strangerOrderInvariants: readonly Invariant[] = [
  {
    id: 'W3-strangers',
    title: 'An order at a stranger belongs to exactly one cart, which was bought in the same way',
    statement: checkCarts({}),
  },
  {
    id: 'E3-strangers',
    title:
      'A message about an order was applied only to the order that it names, and no older one after a newer one',
    statement: checkMessages({}),
  },
]
