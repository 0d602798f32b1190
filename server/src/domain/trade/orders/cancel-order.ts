import Type from 'typebox'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdParam, Nullable, Text } from '../../../contract/schemas.ts'
import { cancelOrderInTx } from './cancel-order-in-tx.ts'
import { Order } from './order.ts'

export const cancelOrder = defineOperation({
  id: 'v1_cancel_order',
  method: 'POST',
  path: '/v1/orders/{order_id}/cancel',
  auth: 'secret',
  scope: 'orders:write',
  tag: 'Orders',
  summary: 'Cancel an order',
  description:
    "Works while the order awaits its merchant. The payment is released, and the merchant's answer no longer changes " +
    'anything. Once the merchant has answered, the order cannot be cancelled; and never one at a merchant elsewhere.',
  destructive: true,
  params: Closed({ order_id: IdParam('The order.', 'ord') }),
  body: Closed({
    reason: Type.Optional(Nullable(Text(500, { description: 'Why it is cancelled; the merchant sees it.' }))),
  }),
  bodyOptional: true,
  examples: { reason: { summary: 'Cancel with a reason', body: { reason: 'Ordered by mistake' } } },
  responses: { 200: Order },
  problems: ['not_found', 'order_not_cancellable', 'not_supported_by_merchant'],
  async handle(ctx, { path, body }) {
    const cancelled = await cancelOrderInTx(ctx, path.order_id, body.reason ?? null)
    if (!cancelled.ok) {
      throw cancelled.refusal === 'not_found'
        ? new Problem('not_found', { param: 'order_id' })
        : new Problem(cancelled.refusal)
    }
    if (!cancelled.value.isNew) throw new Problem('order_not_cancellable')
    return reply(200, cancelled.value.shown)
  },
})
