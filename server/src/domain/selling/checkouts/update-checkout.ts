import { defineOperation } from '../../../contract/operation.ts'
import { AttributedHeaders } from '../../../protocols/ucp/ucp-call.ts'
import { reviseCheckout } from './change-checkout.ts'
import { CheckoutAnswerBody, CheckoutBody } from './checkout-body.ts'
import {
  askingOf,
  CheckoutParams,
  ofPlatforms,
  readBusiness,
  say,
  takeCheckoutRate,
} from './checkout-operation.ts'
import { readCheckoutBody } from './read-checkout-body.ts'

export const ucpUpdateCheckout = defineOperation({
  ...ofPlatforms,
  id: 'ucp_update_checkout',
  method: 'PUT',
  path: '/checkout-sessions/{id}',
  summary: 'Update a checkout',
  description: 'Replaces what the checkout says, and prices it again. Send all of it.',
  headers: AttributedHeaders,
  params: CheckoutParams,
  body: CheckoutBody,
  responses: { 200: CheckoutAnswerBody },
  problems: ['checkout_not_open'],
  async handle(ctx, { headers, path, body }) {
    await takeCheckoutRate(ctx)
    const business = await readBusiness(ctx)
    const request = {
      ...readCheckoutBody(body, headers.service_attribution_id),
      id: path.id,
      ...askingOf(headers.ucp_call),
    }
    return say(headers.ucp_call, await reviseCheckout(ctx, business, request), 200)
  },
})
