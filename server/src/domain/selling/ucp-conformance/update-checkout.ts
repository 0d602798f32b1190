import { defineOperation, reply } from '../../../contract/operation.ts'
import { askingOf, readCheckout, requestOf, reviseCheckout } from '../checkouts/public.ts'
import { ConformanceAnswer, ConformanceBody } from './conformance-body.ts'
import {
  areGoodsRefused,
  ConformanceHeaders,
  IdParams,
  ofSuite,
  refusedLines,
  shownCheckout,
  takeConformanceRate,
} from './conformance-operation.ts'
import { requireShop } from './conformance-shop.ts'
import { readConformanceBody } from './read-conformance-body.ts'

export const ucpConformanceUpdateCheckout = defineOperation({
  ...ofSuite,
  id: 'ucp_conformance_update_checkout',
  method: 'PUT',
  path: '/checkout-sessions/{id}',
  summary: 'Update a checkout',
  headers: ConformanceHeaders,
  params: IdParams,
  body: ConformanceBody,
  responses: { 200: ConformanceAnswer },
  problems: ['not_found', 'checkout_not_open', 'conformance_checkout_refused'],
  async handle(ctx, { headers: { ucp_call: call }, path, body }) {
    await takeConformanceRate(ctx)
    const { merchant } = await requireShop(ctx)
    const named = { id: path.id, ...askingOf(call) }
    const before = await readCheckout(ctx, named)
    const known = before.kind === 'checkout' ? requestOf(before.checkout.row) : null
    const request = await readConformanceBody(ctx, body, known)
    const answer = await reviseCheckout(ctx, merchant, { ...request, ...named })
    const refused = areGoodsRefused(answer)
    if (refused) throw refusedLines(refused)
    return reply(200, shownCheckout(answer, call))
  },
})
