import { defineOperation, reply } from '../../../contract/operation.ts'
import { pageOf, readList, totalCap } from '../../../contract/page.ts'
import { ListOf } from '../../../contract/schemas.ts'
import { Order, renderOrder } from './order.ts'
import type { OrderLists } from './order-lists.ts'
import { filterOf, OrderQuery, orderLimitDefault, searchOf } from './order-query.ts'

export function listOrders(lists: OrderLists) {
  return defineOperation({
    id: 'v1_list_orders',
    method: 'GET',
    path: '/v1/orders',
    auth: 'secret',
    scope: 'orders:read',
    forBound: 'served',
    tag: 'Orders',
    summary: 'List your orders, newest first',
    description:
      'The orders that this account has placed with merchants, as their buyer. Narrow the list with `status`, ' +
      '`payment_status`, dates or `q`.',
    query: OrderQuery,
    responses: { 200: ListOf(Order, 'OrderList') },
    async handle(ctx, { query }) {
      const page = pageOf(query, orderLimitDefault)
      const filter = filterOf(query, ctx)
      const search = searchOf(query, ctx, page)
      const list = await readList(ctx.reads, {
        page,
        rows: search ? lists.foundPage(search.page) : lists.page({ ...filter, ...page }),
        count: search ? lists.foundCount(search.count) : lists.count({ ...filter, cap: totalCap }),
        render: (row) => renderOrder(row, 'buyer'),
      })
      return reply(200, list)
    },
  })
}
