import { defineOperation } from '../../../contract/operation.ts'
import { AttributedHeaders } from '../../../protocols/ucp/ucp-call.ts'
import { checkOutCart } from './carts/change-cart.ts'
import { openCheckout } from './change-checkout.ts'
import { CheckoutAnswerBody, CheckoutBody } from './checkout-body.ts'
import { askingOf, ofPlatforms, readBusiness, say, takeCheckoutRate } from './checkout-operation.ts'
import { readCheckoutBody } from './read-checkout-body.ts'

export const ucpCreateCheckout = defineOperation({
  ...ofPlatforms,
  id: 'ucp_create_checkout',
  method: 'POST',
  path: '/checkout-sessions',
  summary: 'Create a checkout',
  description:
    'Prices goods of this business for a buyer, and says what is missing until it can be completed.',
  headers: AttributedHeaders,
  body: CheckoutBody,
  responses: { 200: CheckoutAnswerBody, 201: CheckoutAnswerBody },
  async handle(ctx, { headers, body }) {
    await takeCheckoutRate(ctx)
    const business = await readBusiness(ctx)
    const call = headers.ucp_call
    const request = { ...readCheckoutBody(body, headers.service_attribution_id), ...askingOf(call) }
    const { cart_id: cartId } = body
    if (cartId === undefined || !call.capabilities.includes('dev.ucp.shopping.cart'))
      return say(call, await openCheckout(ctx, business, request), 201)
    const { answer, isNew } = await checkOutCart(ctx, business, { ...request, cartId })
    return isNew ? say(call, answer, 201) : say(call, answer, 200)
  },
})
