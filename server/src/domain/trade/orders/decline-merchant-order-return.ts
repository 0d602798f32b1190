import Type from 'typebox'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdParam, Nullable, Text } from '../../../contract/schemas.ts'
import { isOpen } from './decide-refund.ts'
import { lockOrderAsMerchant } from './lock-order-as-merchant.ts'
import { Order, renderOrder } from './order.ts'
import { reviseLockedOrder } from './write-order.ts'

export const declineMerchantOrderReturn = defineOperation({
  id: 'v1_decline_merchant_order_return',
  method: 'POST',
  path: '/v1/merchant/orders/{order_id}/returns/{return_id}/decline',
  auth: 'secret',
  scope: 'merchant_orders:respond',
  tag: 'Merchant orders',
  summary: 'Decline a return',
  description:
    'The buyer sees your note, and the units can be part of another return. To accept a return, refund it with ' +
    'v1_create_merchant_order_refund.',
  params: Closed({ order_id: IdParam('The order.', 'ord'), return_id: IdParam('The return.', 'ret') }),
  body: Closed({
    note: Type.Optional(Nullable(Text(2000, { description: 'Why; the buyer sees it.' }))),
  }),
  bodyOptional: true,
  examples: { note: { summary: 'Decline with a reason', body: { note: 'The return period is over.' } } },
  responses: { 200: Order },
  problems: ['not_found', 'return_not_open'],
  async handle(ctx, { path, body }) {
    const order = await lockOrderAsMerchant(ctx, path.order_id)
    const named = order.returns.find(({ id }) => id === path.return_id)
    if (!named) throw new Problem('not_found', { param: 'return_id' })
    if (!isOpen(order, named)) throw new Problem('return_not_open')
    const declined = {
      ...named,
      status: 'declined' as const,
      merchant_note: body.note ?? null,
      updated_at: ctx.now.toISOString(),
    }
    const returns = order.returns.map((one) => (one === named ? declined : one))
    const { row } = reviseLockedOrder(ctx, order, { returns }, ['order.return_declined'])
    return reply(200, renderOrder(row, 'merchant'))
  },
})
