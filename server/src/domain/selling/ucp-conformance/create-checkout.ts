import { defineOperation, reply } from '../../../contract/operation.ts'
import { askingOf, openCheckout } from '../checkouts/public.ts'
import { ConformanceAnswer, ConformanceBody } from './conformance-body.ts'
import { ConformanceHeaders, ofSuite, shownCheckout, takeConformanceRate } from './conformance-operation.ts'
import { requireShop } from './conformance-shop.ts'
import { readConformanceBody } from './read-conformance-body.ts'

export const ucpConformanceCreateCheckout = defineOperation({
  ...ofSuite,
  id: 'ucp_conformance_create_checkout',
  method: 'POST',
  path: '/checkout-sessions',
  summary: 'Create a checkout',
  headers: ConformanceHeaders,
  body: ConformanceBody,
  responses: { 201: ConformanceAnswer },
  problems: ['not_found', 'conformance_checkout_refused'],
  async handle(ctx, { headers: { ucp_call: call }, body }) {
    await takeConformanceRate(ctx)
    const { merchant } = await requireShop(ctx)
    const request = await readConformanceBody(ctx, body, null)
    return reply(
      201,
      shownCheckout(await openCheckout(ctx, merchant, { ...request, ...askingOf(call) }), call),
    )
  },
})
