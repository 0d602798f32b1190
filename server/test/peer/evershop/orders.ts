import type { Client } from 'pg'
import type { ShopOrder } from '../peer.ts'

const selectOrders = `
  select o.order_number, o.customer_email, o.payment_status, o.currency, round(o.grand_total * 100)::int as total,
         (select json_agg(json_build_object('sku', i.product_sku, 'quantity', i.qty) order by i.order_item_id)
            from order_item i where i.order_item_order_id = o.order_id) as lines
    from "order" o order by o.order_id`

/** The shop's order book, from its own tables. */
export async function readOrders(database: Client): Promise<ShopOrder[]> {
  const { rows } = await database.query(selectOrders)
  return rows.map((row) => ({
    number: String(row.order_number),
    email: row.customer_email,
    status: row.payment_status,
    total: row.total,
    currency: row.currency,
    lines: (row.lines ?? []).map((line: { sku: string; quantity: number }) => ({
      sku: line.sku,
      quantity: Number(line.quantity),
    })),
  }))
}
