import { defineSlice } from '../../../platform/slices/slice.ts'
import { strangerOrderInvariants } from './invariants.sql.ts'
import { sweepMessages } from './stranger-orders.sql.ts'

export const strangerOrders = defineSlice({
  name: 'buying/stranger-orders',
  about: 'Takes what merchants elsewhere write about the orders that were placed with them.',
  needs: ['discovery/registry', 'trade/orders'],
  tables: ['order_messages', 'stranger_orders'],
  sweeps: [sweepMessages],
  invariants: strangerOrderInvariants,
})
