import { defineIds } from '../../../contract/ids.ts'
import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { ucpCancelCheckout } from './cancel-checkout.ts'
import { ucpCancelCart } from './carts/cancel-cart.ts'
import { sweepCarts } from './carts/carts.sql.ts'
import { ucpCreateCart } from './carts/create-cart.ts'
import { ucpGetCart } from './carts/get-cart.ts'
import { ucpUpdateCart } from './carts/update-cart.ts'
import { sweepCheckouts } from './checkouts.sql.ts'
import { ucpCompleteCheckout } from './complete-checkout.ts'
import { ucpCreateCheckout } from './create-checkout.ts'
import { followSoldOrders } from './follow-sold-orders.ts'
import { ucpGetCheckout } from './get-checkout.ts'
import { ucpGetOrder } from './get-order.ts'
import { OrderSigner } from './port.ts'
import { ucpUpdateCheckout } from './update-checkout.ts'
import { noticeWork } from './work.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  crt: { names: 'a cart of a platform', isOpen: true },
  cko: { names: 'a checkout of a platform', isOpen: true },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

/** What is refused here, beyond what every operation may refuse. */
const problems = defineProblems({
  checkout_not_open: {
    status: 409,
    retryable: false,
    message: 'The checkout does not change any more.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
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
  operations: [
    ucpCreateCart,
    ucpGetCart,
    ucpUpdateCart,
    ucpCancelCart,
    ucpCreateCheckout,
    ucpGetCheckout,
    ucpUpdateCheckout,
    ucpCompleteCheckout,
    ucpCancelCheckout,
    ucpGetOrder,
  ],
  work: ({ egress, ports, wallNow }) => [
    noticeWork({ egress, wallNow, signer: () => ports.get(OrderSigner).signer() }),
  ],
  sweeps: [sweepCheckouts, sweepCarts],
  queues: [{ kind: 'order_notices', table: 'order_notices' }],
  followers: [followSoldOrders],
})
