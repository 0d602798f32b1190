import { defineOperation } from '../../../../contract/operation.ts'
import { AttributedHeaders } from '../../../../protocols/ucp/ucp-call.ts'
import { CheckoutAnswerBody } from '../checkout-body.ts'
import {
  askingOf,
  CheckoutParams,
  ofPlatforms,
  readBusiness,
  takeCheckoutRate,
} from '../checkout-operation.ts'
import { CartBody, readCartBody, sayCart } from './cart-operation.ts'
import { reviseCart } from './change-cart.ts'

export const ucpUpdateCart = defineOperation({
  ...ofPlatforms,
  id: 'ucp_update_cart',
  method: 'PUT',
  path: '/carts/{id}',
  summary: 'Update a cart',
  description: 'Replaces what the cart says, and estimates it again. Send all of it.',
  headers: AttributedHeaders,
  params: CheckoutParams,
  body: CartBody,
  responses: { 200: CheckoutAnswerBody },
  async handle(ctx, { headers: { ucp_call: call, service_attribution_id: token }, path, body }) {
    await takeCheckoutRate(ctx)
    const answer = await reviseCart(ctx, await readBusiness(ctx), {
      ...readCartBody(body, token),
      id: path.id,
      ...askingOf(call),
    })
    return sayCart(call, answer, 200)
  },
})
