import { ids } from './ids.ts'
import { part } from '../../../platform/database/combine-reads.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { orderEvents } from './events.ts'
import { orderInvariants } from './invariants.ts'
import { orderOperations } from './operations.ts'
import { selectOwnOrders } from './orders.sql.ts'
import { orderWork } from './work.ts'

export const orders = defineSlice({
  name: 'trade/orders',
  needs: ['selling/catalog', 'webhooks/destinations'],
  ids,
  tags: {
    Orders: 'The orders this account has placed with merchants, as their buyer.',
    "Merchant orders": 'Orders the merchant has received: confirm, reprice, fulfill and refund them.',
  },
  events: orderEvents,
  operations: orderOperations,
  work: () => [orderWork],
  queues: [{ kind: 'orders', table: 'orders' }],
  invariants: orderInvariants,
  ownIds: part(selectOwnOrders, []),
})
