import { defineOperation } from '../../../../contract/operation.ts'
import { UcpHeaders } from '../../../../protocols/ucp/ucp-call.ts'
import { CheckoutAnswerBody } from '../checkout-body.ts'
import { askingOf, CheckoutParams, ofPlatforms } from '../checkout-operation.ts'
import { sayCart } from './cart-operation.ts'
import { readCart } from './change-cart.ts'

export const ucpGetCart = defineOperation({
  ...ofPlatforms,
  id: 'ucp_get_cart',
  method: 'GET',
  path: '/carts/{id}',
  summary: 'Read a cart',
  description: 'Shows a cart of your own.',
  headers: UcpHeaders,
  params: CheckoutParams,
  responses: { 200: CheckoutAnswerBody },
  async handle(ctx, { headers: { ucp_call: call }, path }) {
    const answer = await readCart(ctx, { id: path.id, ...askingOf(call) })
    return sayCart(call, answer, 200)
  },
})
