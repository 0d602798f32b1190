import { defineOperation, reply } from '../../../contract/operation.ts'
import { pageOf, readList, totalCap } from '../../../contract/page.ts'
import { ListOf } from '../../../contract/schemas.ts'
import { Order, renderOrder } from './order.ts'
import { filterOf, OrderQuery, orderLimitDefault, searchOf } from './order-query.ts'
import { countMerchantOrders, selectMerchantOrders } from './orders.sql.ts'
import { countFoundMerchantOrders, searchMerchantOrders } from './search-orders.sql.ts'

export const listMerchantOrders = defineOperation({
  id: 'v1_list_merchant_orders',
  method: 'GET',
  path: '/v1/merchant/orders',
  auth: 'secret',
  scope: 'merchant_orders:read',
  tag: 'Merchant orders',
  summary: 'List received orders, newest first',
  description:
    'The orders that buyers have placed with this merchant. Narrow the list with `status`, `payment_status`, dates or `q`.',
  query: OrderQuery,
  responses: { 200: ListOf(Order, 'OrderList') },
  async handle(ctx, { query }) {
    const page = pageOf(query, orderLimitDefault)
    const filter = filterOf(query, ctx)
    const search = searchOf(query, ctx, page)
    const list = await readList(ctx.reads, {
      page,
      rows: search ? searchMerchantOrders(search.page) : selectMerchantOrders({ ...filter, ...page }),
      count: search
        ? countFoundMerchantOrders(search.count)
        : countMerchantOrders({ ...filter, cap: totalCap }),
      render: (row) => renderOrder(row, 'merchant'),
    })
    return reply(200, list)
  },
})
