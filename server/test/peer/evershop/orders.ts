import type { Client } from 'pg'
import { type BookOrder, ordersOf } from '../book.ts'

const selectOrders = `
  select o.order_number as order, o.payment_status as status, o.currency, o.grand_total::text as total,
         i.product_sku as goods, i.qty::text as quantity, o.customer_email as email,
         a.full_name as name, a.telephone as phone, a.address_1 as street, a.address_2 as line2,
         a.postcode as postal_code, a.city, a.country
    from "order" o
    join order_item i on i.order_item_order_id = o.order_id
    left join order_address a on a.order_address_id = o.shipping_address_id
   order by o.order_id, i.order_item_id`

/** The shop's order book, from its own tables. */
export async function readOrders(database: Client): Promise<BookOrder[]> {
  const { rows } = await database.query(selectOrders)
  return ordersOf(JSON.stringify(rows), {})
}
