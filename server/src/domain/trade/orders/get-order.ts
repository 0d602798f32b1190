import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdParam } from '../../../contract/schemas.ts'
import { Order, renderOrder } from './order.ts'
import { selectOrder } from './orders.sql.ts'

export const getOrder = defineOperation({
  id: 'v1_get_order',
  method: 'GET',
  path: '/v1/orders/{order_id}',
  auth: 'secret',
  scope: 'orders:read',
  forBound: 'served',
  tag: 'Orders',
  summary: 'Read one of your orders',
  description: 'Shows its lines, totals, shipments, refunds and returns, as its buyer sees them.',
  params: Closed({ order_id: IdParam('The order.', 'ord') }),
  responses: { 200: Order },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    const { accountId, mode } = ctx.tenant
    const row = await ctx.reads.maybe(selectOrder({ account_id: accountId, mode, id: path.order_id }))
    if (!row || row.buyer) throw new Problem('not_found', { param: 'order_id' })
    return reply(200, renderOrder(row, 'buyer'))
  },
})
