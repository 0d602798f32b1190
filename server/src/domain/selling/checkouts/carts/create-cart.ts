import { defineOperation } from '../../../../contract/operation.ts'
import { AttributedHeaders } from '../../../../protocols/ucp/ucp-call.ts'
import { CheckoutAnswerBody } from '../checkout-body.ts'
import { askingOf, ofPlatforms, readBusiness, takeCheckoutRate } from '../checkout-operation.ts'
import { CartBody, readCartBody, sayCart } from './cart-operation.ts'
import { openCart } from './change-cart.ts'

export const ucpCreateCart = defineOperation({
  ...ofPlatforms,
  id: 'ucp_create_cart',
  method: 'POST',
  path: '/carts',
  summary: 'Create a cart',
  description:
    'Estimates what goods of this business cost, before it is known where they go. A checkout can be made of it by `cart_id`.',
  headers: AttributedHeaders,
  body: CartBody,
  responses: { 200: CheckoutAnswerBody, 201: CheckoutAnswerBody },
  async handle(ctx, { headers: { ucp_call: call, service_attribution_id: token }, body }) {
    await takeCheckoutRate(ctx)
    const answer = await openCart(ctx, await readBusiness(ctx), {
      ...readCartBody(body, token),
      ...askingOf(call),
    })
    return sayCart(call, answer, 201)
  },
})
