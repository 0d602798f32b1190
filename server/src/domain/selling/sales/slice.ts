import { defineIds } from '../../../contract/ids.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { PaymentRails } from '../../buying/rails/public.ts'
import { followOrders } from './follow-orders.ts'
import { saleInvariants } from './invariants.sql.ts'
import { saleWork } from './work.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  sal: { names: 'a sale to a buyer without an account', isOpen: true },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

export const sales = defineSlice({
  name: 'selling/sales',
  about:
    'Takes the money of buyers who have no account here: holds it, and captures or releases it as the merchant answers.',
  needs: [
    'buying/payment-tokens',
    'buying/rails',
    'discovery/attributions',
    'selling/pricing',
    'selling/promotions',
    'trade/orders',
  ],
  tables: ['sales'],
  ids,
  work: ({ ports }) => [saleWork(ports.get(PaymentRails))],
  queues: [{ kind: 'sales', table: 'sales', mode: 'mode::text', of: 'order_id' }],
  followers: [followOrders],
  invariants: saleInvariants,
})
