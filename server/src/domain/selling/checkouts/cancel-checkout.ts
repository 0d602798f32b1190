import { defineOperation } from '../../../contract/operation.ts'
import { UcpHeaders } from '../../../protocols/ucp/ucp-call.ts'
import { cancelCheckout } from './change-checkout.ts'
import { CheckoutAnswerBody } from './checkout-body.ts'
import { askingOf, CheckoutParams, ofPlatforms, say } from './checkout-operation.ts'

export const ucpCancelCheckout = defineOperation({
  ...ofPlatforms,
  id: 'ucp_cancel_checkout',
  method: 'POST',
  path: '/checkout-sessions/{id}/cancel',
  summary: 'Cancel a checkout',
  description: 'Ends a checkout that is not being paid.',
  headers: UcpHeaders,
  params: CheckoutParams,
  responses: { 200: CheckoutAnswerBody },
  problems: ['checkout_not_open'],
  async handle(ctx, { headers, path }) {
    return say(
      headers.ucp_call,
      await cancelCheckout(ctx, { id: path.id, ...askingOf(headers.ucp_call) }),
      200,
    )
  },
})
