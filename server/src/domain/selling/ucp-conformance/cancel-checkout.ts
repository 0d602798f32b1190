import { defineOperation, reply } from '../../../contract/operation.ts'
import { askingOf, cancelCheckout } from '../checkouts/public.ts'
import { ConformanceAnswer } from './conformance-body.ts'
import { ConformanceHeaders, IdParams, ofSuite, shownCheckout } from './conformance-operation.ts'
import { requireShop } from './conformance-shop.ts'

export const ucpConformanceCancelCheckout = defineOperation({
  ...ofSuite,
  id: 'ucp_conformance_cancel_checkout',
  method: 'POST',
  path: '/checkout-sessions/{id}/cancel',
  summary: 'Cancel a checkout',
  headers: ConformanceHeaders,
  params: IdParams,
  responses: { 200: ConformanceAnswer },
  problems: ['not_found', 'checkout_not_open'],
  async handle(ctx, { headers: { ucp_call: call }, path }) {
    await requireShop(ctx)
    return reply(200, shownCheckout(await cancelCheckout(ctx, { id: path.id, ...askingOf(call) }), call))
  },
})
