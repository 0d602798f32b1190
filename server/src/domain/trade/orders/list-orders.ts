import type { Static } from 'typebox'
import type { CallContext } from '../../../contract/context.ts'
import { defineOperation, type Operation, reply } from '../../../contract/operation.ts'
import { pageOf, readList, totalCap } from '../../../contract/page.ts'
import { ListOf } from '../../../contract/schemas.ts'
import { countOrders, selectOrders } from './list-orders.sql.ts'
import { Order, renderOrder } from './order.ts'
import { filterOf, OrderQuery, orderLimitDefault, searchOf } from './order-query.ts'
import type { PurchaseIdsOfProfile } from './port.ts'
import { countFoundOrders, searchOrders } from './search-orders.sql.ts'

export function listOrders(purchases: PurchaseIdsOfProfile): Operation {
  return defineOperation({
    id: 'v1_list_orders',
    path: '/v1/orders',
    scope: 'orders:read',
    forBound: 'served',
    tag: 'Orders',
    summary: 'List your orders, newest first',
    description:
      'The orders that this account has placed with merchants, as their buyer. Narrow the list with `status`, ' +
      '`payment_status`, dates or `q`.',
    ...listing('buyer', purchases),
  })
}

export function listMerchantOrders(purchases: PurchaseIdsOfProfile): Operation {
  return defineOperation({
    id: 'v1_list_merchant_orders',
    path: '/v1/merchant/orders',
    scope: 'merchant_orders:read',
    tag: 'Merchant orders',
    summary: 'List received orders, newest first',
    description:
      'The orders that buyers have placed with this merchant. Narrow the list with `status`, `payment_status`, dates or `q`.',
    ...listing('merchant', purchases),
  })
}

/** What is the same for both sides: each sees its own orders, lists them by the same filters, and searches them. */
function listing(side: 'buyer' | 'merchant', purchases: PurchaseIdsOfProfile) {
  const whose = side === 'buyer' ? 'account_id' : 'merchant_account_id'
  const [select, count] = [selectOrders(whose, purchases), countOrders(whose, purchases)]
  const [find, countFound] = [searchOrders(whose, purchases), countFoundOrders(whose, purchases)]
  return {
    method: 'GET',
    auth: 'secret',
    query: OrderQuery,
    responses: { 200: ListOf(Order, 'OrderList') },
    async handle(ctx: CallContext, { query }: { query: Static<typeof OrderQuery> }) {
      const page = pageOf(query, orderLimitDefault)
      const filter = filterOf(query, ctx)
      const search = searchOf(query, ctx, page)
      const list = await readList(ctx.reads, {
        page,
        rows: search ? find(search.page) : select({ ...filter, ...page }),
        count: search ? countFound(search.count) : count({ ...filter, cap: totalCap }),
        render: (row) => renderOrder(row, side),
      })
      return reply(200, list)
    },
  } as const
}
