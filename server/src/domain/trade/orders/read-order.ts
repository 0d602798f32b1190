import type { Reads, Tenant } from '../../../contract/context.ts'
import { type Order, type OrderProgress, renderOrder } from './order.ts'
import { selectMerchantOrder, selectOrder, selectOrders } from './orders.sql.ts'

/** How the buyer's order of this id stands; null where there is none. */
export function readOrder(
  reads: Pick<Reads, 'maybe'>,
  { accountId, mode }: Tenant,
  id: string,
): Promise<OrderProgress | null> {
  return reads.maybe(selectOrder({ account_id: accountId, mode, id }))
}

/** The buyer's orders of these ids, as their buyer sees them. */
export async function readBoughtOrders(
  reads: Pick<Reads, 'rows'>,
  { accountId: account_id, mode }: Tenant,
  ids: readonly string[],
): Promise<Order[]> {
  if (ids.length === 0) return []
  const rows = await reads.rows(selectOrders({ account_id, mode, ids }))
  return rows.map((row) => renderOrder(row, 'buyer'))
}

/** An order that the merchant has received, as its merchant sees it; null where there is none. */
export async function readSoldOrder(
  reads: Pick<Reads, 'maybe'>,
  { accountId, mode }: Tenant,
  id: string,
): Promise<Order | null> {
  const row = await reads.maybe(selectMerchantOrder({ merchant_account_id: accountId, mode, id }))
  return row && renderOrder(row, 'merchant')
}
