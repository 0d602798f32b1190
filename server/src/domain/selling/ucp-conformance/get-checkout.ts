import { defineOperation, reply } from '../../../contract/operation.ts'
import { askingOf, readCheckout } from '../checkouts/public.ts'
import { ConformanceAnswer } from './conformance-body.ts'
import { ConformanceHeaders, IdParams, ofSuite, shownCheckout } from './conformance-operation.ts'
import { requireShop } from './conformance-shop.ts'

export const ucpConformanceGetCheckout = defineOperation({
  ...ofSuite,
  id: 'ucp_conformance_get_checkout',
  method: 'GET',
  path: '/checkout-sessions/{id}',
  summary: 'Read a checkout',
  headers: ConformanceHeaders,
  params: IdParams,
  responses: { 200: ConformanceAnswer },
  problems: ['not_found'],
  async handle(ctx, { headers: { ucp_call: call }, path }) {
    await requireShop(ctx)
    return reply(200, shownCheckout(await readCheckout(ctx, { id: path.id, ...askingOf(call) }), call))
  },
})
