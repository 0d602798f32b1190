import type { Follower } from '../../../platform/events/follower.ts'
import { noteOrders } from './notices.sql.ts'

/** What happens to the orders of platforms after their merchants have taken them. */
export const followSoldOrders: Follower = {
  name: 'order_notices',
  types: [
    'order.confirmed',
    'order.fulfillment_updated',
    'order.completed',
    'order.refunded',
    'order.refund_failed',
    'order.cancelled',
  ],
  follow(tx, events) {
    const sold = events.filter(({ cartId }) => cartId === null)
    if (sold.length === 0) return
    const last = [...new Map(sold.map((event) => [event.aggregateId, event])).values()]
    tx.write(
      noteOrders({
        account_ids: last.map(({ tenant }) => tenant.accountId),
        modes: last.map(({ tenant }) => tenant.mode),
        order_ids: last.map(({ aggregateId }) => aggregateId),
        sequences: last.map(({ sequence }) => sequence),
      }),
    )
    tx.wake('order_notices')
  },
}
