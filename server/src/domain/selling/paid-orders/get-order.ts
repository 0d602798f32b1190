import Type from 'typebox'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdParam } from '../../../contract/schemas.ts'
import { MppHeaders } from '../../../protocols/mpp/mpp-call.ts'
import { readSoldOrder } from '../../trade/orders/public.ts'
import { OrderStanding } from './order-documents.ts'
import { opensOrder } from './order-key.ts'
import { ofPayers, takeOrderRate } from './paid-operation.ts'

export const mppGetOrder = defineOperation({
  ...ofPayers,
  id: 'mpp_get_order',
  method: 'GET',
  path: '/orders/{order_id}',
  summary: 'Read an order',
  description: 'Says how an order stands. Its address, with the key, is the `status_url` of the order.',
  headers: MppHeaders,
  params: Closed({ order_id: IdParam('The order.', 'ord') }),
  query: Closed({ key: Type.String({ maxLength: 64, description: 'The key in the address.' }) }),
  responses: { 200: OrderStanding },
  problems: ['not_found'],
  async handle(ctx, { path, query }) {
    await takeOrderRate(ctx)
    const { order_id: id } = path
    const order = opensOrder(query.key, id, ctx.sealer)
      ? await readSoldOrder(ctx.reads, ctx.tenant, id)
      : null
    if (order?.buyer?.kind !== 'payer') throw new Problem('not_found')
    return reply(200, {
      id: order.id,
      object: 'order' as const,
      status: order.status,
      payment_status: order.payment_status,
      fulfillments: order.fulfillments,
      note: order.note,
      updated_at: order.updated_at,
    })
  },
})
