import { defineOperation } from '../../../contract/operation.ts'
import { invalid } from '../../../contract/problem.ts'
import { AttributedHeaders } from '../../../protocols/ucp/ucp-call.ts'
import { checkOutCart } from './carts/change-cart.ts'
import { openCheckout } from './change-checkout.ts'
import { CheckoutAnswerBody, NewCheckoutBody } from './checkout-body.ts'
import { askingOf, ofPlatforms, readBusiness, say, takeCheckoutRate } from './checkout-operation.ts'
import { readCheckoutBody } from './read-checkout-body.ts'

const noGoods = 'say what is bought, or name a cart of your own in cart_id where both profiles have carts'

export const ucpCreateCheckout = defineOperation({
  ...ofPlatforms,
  id: 'ucp_create_checkout',
  method: 'POST',
  path: '/checkout-sessions',
  summary: 'Create a checkout',
  description:
    'Prices goods of this business for a buyer, and says what is missing until it can be completed.',
  headers: AttributedHeaders,
  body: NewCheckoutBody,
  responses: { 200: CheckoutAnswerBody, 201: CheckoutAnswerBody },
  async handle(ctx, { headers, body }) {
    await takeCheckoutRate(ctx)
    const business = await readBusiness(ctx)
    const call = headers.ucp_call
    const { cart_id: cartId, line_items = [] } = body
    const token = headers.service_attribution_id
    const request = { ...readCheckoutBody({ ...body, line_items }, token), ...askingOf(call) }
    if (cartId === undefined || !call.capabilities.includes('dev.ucp.shopping.cart')) {
      if (line_items.length === 0) throw invalid(['body', 'line_items'], noGoods)
      return say(call, await openCheckout(ctx, business, request), 201)
    }
    const { answer, isNew } = await checkOutCart(ctx, business, { ...request, cartId })
    return isNew ? say(call, answer, 201) : say(call, answer, 200)
  },
})
