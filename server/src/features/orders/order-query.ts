import Type, { type Static } from 'typebox'
import type { Tenant } from '../../contract/context.ts'
import { containsPattern, instantOf } from '../../contract/page.ts'
import { Closed, Filter, Page, Search, Timestamp } from '../../contract/schemas.ts'
import { OrderPaymentStatusSchema, OrderStatusSchema } from './order.ts'
import type { OrderFilter } from './orders.sql.ts'

export const orderLimitDefault = 50

/** Both sides list their orders by the same filters. */
export const OrderQuery = Closed({
  status: Filter(OrderStatusSchema, 'Orders in this state.'),
  payment_status: Filter(OrderPaymentStatusSchema, 'Orders whose payment is in this state.'),
  created_after: Type.Optional(Timestamp),
  created_before: Type.Optional(Timestamp),
  q: Type.Optional(Search),
  ...Page(orderLimitDefault, 200),
})

export function filterOf(query: Static<typeof OrderQuery>, tenant: Tenant): OrderFilter {
  return {
    account_id: tenant.accountId,
    mode: tenant.mode,
    status: query.status ?? null,
    payment_status: query.payment_status ?? null,
    created_after: instantOf(query.created_after),
    created_before: instantOf(query.created_before),
    q: containsPattern(query.q),
  }
}
