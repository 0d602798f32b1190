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
  events: orderEvents,
  operations: orderOperations,
  work: () => [orderWork],
  queues: [{ kind: 'orders', table: 'orders' }],
  invariants: orderInvariants,
  ownIds: part(selectOwnOrders, []),
})
