import { defineOperation, reply } from '../../../contract/operation.ts'
import { Closed, Text } from '../../../contract/schemas.ts'
import { UcpHeaders } from '../../../protocols/ucp/ucp-call.ts'
import { CheckoutAnswerBody } from './checkout-body.ts'
import { refusalDocument } from './checkout-document.ts'
import { ofPlatforms } from './checkout-operation.ts'
import { orderDocument } from './order-document.ts'
import { readCheckoutOfOrder } from './read-checkout-of-order.ts'

export const ucpGetOrder = defineOperation({
  ...ofPlatforms,
  id: 'ucp_get_order',
  method: 'GET',
  path: '/orders/{id}',
  summary: 'Read an order',
  description: 'Shows an order that you have placed: what is on its way, and what was given back.',
  headers: UcpHeaders,
  params: Closed({ id: Text(64, { description: 'The order.' }) }),
  responses: { 200: CheckoutAnswerBody },
  async handle(ctx, { headers, path }) {
    const { profile: platform } = headers.ucp_call
    const found = await readCheckoutOfOrder(ctx.reads, ctx.tenant, { platform, orderId: path.id })
    if (!found) return reply(200, refusalDocument([notFound]))
    return reply(200, orderDocument(found, headers.ucp_call))
  },
})

const notFound = {
  type: 'error',
  code: 'not_found',
  content: 'There is no such order.',
  severity: 'unrecoverable',
} as const
