import { defineIds } from '../../../contract/ids.ts'
import { defineScopes, type ScopeFacts } from '../../../contract/scopes.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { orderEvents } from './events.ts'
import { orderInvariants } from './invariants.sql.ts'
import { orderOperations } from './operations.ts'
import { PurchasesOfProfile } from './port.ts'
import { problems } from './problems.ts'
import { orderWork } from './work.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  ord: { names: 'an order' },
  ful: { names: 'a fulfillment' },
  rfd: { names: 'a refund' },
  ret: { names: 'a return' },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

/** What keys may be allowed here. */
const scopes = defineScopes({
  'orders:read': { presets: ['buyer_agent'], toolsets: ['buyer'] },
  'orders:write': { roles: ['support'], toolsets: ['buyer'] },
  'merchant_orders:read': { presets: ['merchant_backend'], toolsets: ['merchant'], isOfAccount: true },
  'merchant_orders:respond': { presets: ['merchant_backend'], toolsets: ['merchant'], isOfAccount: true },
})

declare module '../../../contract/scopes.ts' {
  interface Scopes extends Record<keyof typeof scopes, ScopeFacts> {}
}

export const orders = defineSlice({
  name: 'trade/orders',
  about: "Keeps orders with both sides: the merchant's answer, fulfillment, refunds and returns.",
  needs: ['selling/catalog', 'selling/pricing', 'webhooks/destinations'],
  tables: ['order_refunds', 'orders'],
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
