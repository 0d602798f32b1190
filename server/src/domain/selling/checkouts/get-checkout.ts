import { defineOperation } from '../../../contract/operation.ts'
import { UcpHeaders } from '../../../protocols/ucp/ucp-call.ts'
import { readCheckout } from './change-checkout.ts'
import { CheckoutAnswerBody } from './checkout-body.ts'
import { askingOf, CheckoutParams, ofPlatforms, say } from './checkout-operation.ts'

export const ucpGetCheckout = defineOperation({
  ...ofPlatforms,
  id: 'ucp_get_checkout',
  method: 'GET',
  path: '/checkout-sessions/{id}',
  summary: 'Read a checkout',
  description:
    'Shows a checkout of your own. While it is `complete_in_progress`, read it again after some seconds.',
  headers: UcpHeaders,
  params: CheckoutParams,
  responses: { 200: CheckoutAnswerBody },
  async handle(ctx, { headers, path }) {
    return say(headers.ucp_call, await readCheckout(ctx, { id: path.id, ...askingOf(headers.ucp_call) }), 200)
  },
})
