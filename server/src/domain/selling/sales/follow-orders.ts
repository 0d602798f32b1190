import type { Follower } from '../../../platform/events/follower.ts'
import { wakeSales } from './sales.sql.ts'

/** When a merchant or time decides about an order that no purchase has placed, its sale becomes due. */
export const followOrders: Follower = {
  name: 'sales',
  types: ['order.confirmed', 'order.rejected', 'order.expired', 'order.cancelled'],
  follow(tx, events) {
    const decided = events.filter(({ cartId }) => cartId === null)
    if (decided.length === 0) return
    tx.write(
      wakeSales({
        account_ids: decided.map(({ tenant }) => tenant.accountId),
        modes: decided.map(({ tenant }) => tenant.mode),
        order_ids: decided.map(({ aggregateId }) => aggregateId),
      }),
    )
    tx.wake('sales')
  },
}
