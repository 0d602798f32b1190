import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { getOperation } from '../../../contract/read-operations.ts'
import { Closed, IdParam } from '../../../contract/schemas.ts'
import { Order, renderOrder } from './order.ts'
import { selectMerchantOrder, selectOrder } from './orders.sql.ts'

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

export const getMerchantOrder = getOperation({
  id: 'v1_get_merchant_order',
  path: '/v1/merchant/orders/{order_id}',
  scope: 'merchant_orders:read',
  tag: 'Merchant orders',
  summary: 'Read a received order',
  description:
    'Shows its lines, totals, customer, shipments, refunds and returns, as the merchant sees them.',
  params: { order_id: IdParam('The order.', 'ord') },
  shows: Order,
  row: ({ account_id, ...key }) => selectMerchantOrder({ ...key, merchant_account_id: account_id }),
  render: (row) => renderOrder(row, 'merchant'),
})
