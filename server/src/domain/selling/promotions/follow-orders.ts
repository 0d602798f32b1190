import type { Follower, RelayedEvent } from '../../../platform/events/follower.ts'
import { endDecidedUses, lockDecidedCounters } from './redemptions.sql.ts'

const outcomes: Readonly<Record<string, 'settled' | 'released'>> = {
  'order.confirmed': 'settled',
  // guard use-given-back: an order that is not confirmed releases its use
  'order.rejected': 'released',
  'order.expired': 'released',
  'order.cancelled': 'released',
}

/** A confirmed order settles the use of its promotion; an order that is rejected, expires or is cancelled releases it. */
export const followPromotedOrders: Follower = {
  name: 'promotions',
  types: Object.keys(outcomes),
  follow(tx, events) {
    const last = new Map(events.filter(hasDiscount).map((event) => [event.aggregateId, event]))
    if (last.size === 0) return
    const decided = [...last.values()]
    const orders = {
      account_ids: decided.map(({ recipientAccountId }) => recipientAccountId ?? ''),
      modes: decided.map(({ tenant }) => tenant.mode),
      order_ids: decided.map(({ aggregateId }) => aggregateId),
    }
    tx.write(lockDecidedCounters(orders))
    tx.write(
      endDecidedUses({
        ...orders,
        states: decided.map(({ type }) => outcomes[type] ?? 'released'),
        now: tx.now,
      }),
    )
  },
}

/** By its bytes: most orders have none, and parsing each to find out would cost more than the rest. */
function hasDiscount({ object }: RelayedEvent): boolean {
  return object.includes('"type":"discount"')
}
