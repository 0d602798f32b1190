import Type, { type Static } from 'typebox'
import type { CallContext } from '../../../contract/context.ts'
import {
  containsPattern,
  instantOf,
  type PageRequest,
  startingWith,
  totalCap,
} from '../../../contract/page.ts'
import { At, Closed, Filter, Page, Search } from '../../../contract/schemas.ts'
import type { OrderFilter } from './list-orders.sql.ts'
import { OrderPaymentStatusSchema, OrderStatusSchema } from './order.ts'
import type { OrderSearch } from './search-orders.sql.ts'

export const orderLimitDefault = 50

/** Both sides list their orders by the same filters. */
export const OrderQuery = Closed({
  status: Filter(OrderStatusSchema, 'Only orders in this status.'),
  payment_status: Filter(OrderPaymentStatusSchema, 'Only orders whose payment is in this status.'),
  created_after: Type.Optional(At('Only orders created after this moment.')),
  created_before: Type.Optional(At('Only orders created before this moment.')),
  q: Type.Optional(Search),
  ...Page(orderLimitDefault, 200),
})

type Caller = Pick<CallContext, 'tenant' | 'profileId'>

export function filterOf(query: Static<typeof OrderQuery>, { tenant, profileId }: Caller): OrderFilter {
  return {
    account_id: tenant.accountId,
    mode: tenant.mode,
    status: query.status ?? null,
    payment_status: query.payment_status ?? null,
    created_after: instantOf(query.created_after),
    created_before: instantOf(query.created_before),
    q: null,
    profile_id: profileId,
  }
}

/** The parameters of a search, for its page and for its count; null where there is no search. */
export function searchOf(
  query: Static<typeof OrderQuery>,
  caller: Caller,
  page: PageRequest,
): { page: OrderSearch & PageRequest; count: OrderSearch } | null {
  const anywhere = containsPattern(query.q)
  if (query.q === undefined || anywhere === null) return null
  const terms = { ...filterOf(query, caller), ...startingWith(query.q), anywhere, typed: query.q }
  return {
    page: { ...terms, ...page, reach: page.offset + page.limit + 1 },
    count: { ...terms, reach: totalCap + 1 },
  }
}
