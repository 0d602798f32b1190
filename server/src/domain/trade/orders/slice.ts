import { defineSlice } from '../../../platform/slices/slice.ts'
import { orderEvents } from './events.ts'
import { ids } from './ids.ts'
import { orderInvariants } from './invariants.ts'
import { orderOperations } from './operations.ts'
import { PurchasesOfProfile } from './port.ts'
import { problems } from './problems.ts'
import { scopes } from './scopes.ts'
import { orderWork } from './work.ts'

export const orders = defineSlice({
  name: 'trade/orders',
  about: "Keeps orders with both sides: the merchant's answer, fulfillment, refunds and returns.",
  needs: ['selling/catalog', 'selling/pricing', 'webhooks/destinations'],
  ids,
  scopes,
  problems,
  tags: {
    Orders: 'The orders this account has placed with merchants, as their buyer.',
    'Merchant orders': 'Orders the merchant has received: confirm, reprice, fulfill and refund them.',
  },
  events: orderEvents,
  operations: (_events, ports) => orderOperations(ports.get(PurchasesOfProfile)),
  work: () => [orderWork],
  queues: [
    { kind: 'orders', table: 'orders' },
    { kind: 'refunds', table: 'order_refunds', mode: 'mode::text', of: 'order_id' },
  ],
  invariants: orderInvariants,
})
