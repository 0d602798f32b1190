import type { CallContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import type { OrderRow } from './order.ts'
import { lockMerchantOrder } from './orders.sql.ts'

/** Locks an order of the calling merchant until the call ends; throws the 404. */
export async function lockOrderAsMerchant(ctx: CallContext, orderId: string): Promise<OrderRow> {
  const { accountId, mode } = ctx.tenant
  const row = await ctx.tx.maybe(lockMerchantOrder({ merchant_account_id: accountId, mode, id: orderId }))
  if (!row) throw new Problem('not_found', { param: 'order_id' })
  const { requested_event_id: _, ...order } = row
  return order
}
