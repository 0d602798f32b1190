import { defineIds } from '../../../contract/ids.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { sweepCarts } from './carts/sweep-carts.ts'
import { followSoldOrders } from './follow-sold-orders.ts'
import { checkoutOperations } from './operations.ts'
import { OrderSigner } from './port.ts'
import { problems } from './problems.ts'
import { sweepCheckouts } from './sweep-checkouts.ts'
import { noticeWork } from './work.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  crt: { names: 'a cart of a platform', isOpen: true },
  cko: { names: 'a checkout of a platform', isOpen: true },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

export const checkouts = defineSlice({
  name: 'selling/checkouts',
  about: 'Keeps what platforms elsewhere put together at merchants of ours, prices it, and has it paid.',
  needs: [
    'buying/payment-tokens',
    'selling/catalog',
    'selling/merchant',
    'selling/pricing',
    'selling/promotions',
    'selling/sales',
    'trade/orders',
  ],
  tables: ['checkouts', 'order_notices', 'checkout_carts'],
  ids,
  problems,
  tags: { 'UCP checkout': 'Checkouts of platforms at one merchant, over UCP.' },
  operations: checkoutOperations,
  work: ({ egress, ports, wallNow }) => [
    noticeWork({ egress, wallNow, signer: () => ports.get(OrderSigner).signer() }),
  ],
  sweeps: [sweepCheckouts, sweepCarts],
  queues: [{ kind: 'order_notices', table: 'order_notices' }],
  followers: [followSoldOrders],
})
