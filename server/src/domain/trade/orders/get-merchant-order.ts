import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdParam } from '../../../contract/schemas.ts'
import { Order, renderOrder } from './order.ts'
import { selectMerchantOrder } from './orders.sql.ts'

export const getMerchantOrder = defineOperation({
  id: 'v1_get_merchant_order',
  method: 'GET',
  path: '/v1/merchant/orders/{order_id}',
  auth: 'secret',
  scope: 'merchant_orders:read',
  tag: 'Merchant orders',
  summary: 'Read a received order',
  description:
    'Shows its lines, totals, customer, shipments, refunds and returns, as the merchant sees them.',
  params: Closed({ order_id: IdParam('The order.', 'ord') }),
  responses: { 200: Order },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    const { accountId, mode } = ctx.tenant
    const row = await ctx.reads.maybe(
      selectMerchantOrder({ merchant_account_id: accountId, mode, id: path.order_id }),
    )
    if (!row) throw new Problem('not_found', { param: 'order_id' })
    return reply(200, renderOrder(row, 'merchant'))
  },
})
