import { countOrders, type Side, selectOrders } from './list-orders.sql.ts'
import type { PurchaseIdsOfProfile } from './port.ts'
import { countFoundOrders, searchOrders } from './search-orders.sql.ts'

/** How one side lists its orders, and searches them. */
export type OrderLists = {
  readonly page: ReturnType<typeof selectOrders>
  readonly count: ReturnType<typeof countOrders>
  readonly foundPage: ReturnType<typeof searchOrders>
  readonly foundCount: ReturnType<typeof countFoundOrders>
}

export function orderLists(side: Side, purchases: PurchaseIdsOfProfile): OrderLists {
  return {
    page: selectOrders(side, purchases),
    count: countOrders(side, purchases),
    foundPage: searchOrders(side, purchases),
    foundCount: countFoundOrders(side, purchases),
  }
}
