import { defineOperation } from '../../../../contract/operation.ts'
import { UcpHeaders } from '../../../../protocols/ucp/ucp-call.ts'
import { CheckoutAnswerBody } from '../checkout-body.ts'
import { askingOf, CheckoutParams, ofPlatforms, takeCheckoutRate } from '../checkout-operation.ts'
import { sayCart } from './cart-operation.ts'
import { cancelCart } from './change-cart.ts'

export const ucpCancelCart = defineOperation({
  ...ofPlatforms,
  id: 'ucp_cancel_cart',
  method: 'POST',
  path: '/carts/{id}/cancel',
  summary: 'Cancel a cart',
  description: 'Ends a cart. Checkouts that were made of it stay.',
  headers: UcpHeaders,
  params: CheckoutParams,
  responses: { 200: CheckoutAnswerBody },
  async handle(ctx, { headers: { ucp_call: call }, path }) {
    await takeCheckoutRate(ctx)
    const answer = await cancelCart(ctx, { id: path.id, ...askingOf(call) })
    return sayCart(call, answer, 200)
  },
})
