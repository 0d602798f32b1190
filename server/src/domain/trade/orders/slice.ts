import { defineSlice } from '../../../platform/slices/slice.ts'
import { orderEvents } from './events.ts'
import { orderInvariants } from './invariants.ts'
import { orderOperations } from './operations.ts'
import { PurchasesOfProfile } from './port.ts'
import { orderWork } from './work.ts'

export const orders = defineSlice({
  name: 'trade/orders',
  needs: ['selling/catalog', 'webhooks/destinations'],
  events: orderEvents,
  operations: (_events, ports) => orderOperations(ports.get(PurchasesOfProfile)),
  work: () => [orderWork],
  queues: [
    { kind: 'orders', table: 'orders' },
    { kind: 'refunds', table: 'order_refunds', mode: 'mode::text', of: 'order_id' },
  ],
  invariants: orderInvariants,
})
