import { defineOperation, reply } from '../../../contract/operation.ts'
import { conformanceOrder } from '../checkouts/public.ts'
import { ConformanceAnswer } from './conformance-body.ts'
import { ConformanceHeaders, IdParams, ofSuite } from './conformance-operation.ts'
import { requireShop } from './conformance-shop.ts'
import { requireOrder } from './find-order.ts'

export const ucpConformanceGetOrder = defineOperation({
  ...ofSuite,
  id: 'ucp_conformance_get_order',
  method: 'GET',
  path: '/orders/{id}',
  summary: 'Read an order',
  headers: ConformanceHeaders,
  params: IdParams,
  responses: { 200: ConformanceAnswer },
  problems: ['not_found'],
  async handle(ctx, { headers: { ucp_call: call }, path }) {
    await requireShop(ctx)
    return reply(200, conformanceOrder(await requireOrder(ctx, call, path.id), call))
  },
})
