import Type from 'typebox'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, Described, IdParam, Nullable, Text } from '../../../contract/schemas.ts'
import { decideReturn } from './decide-return.ts'
import { checkLines, LineQuantities } from './lines.ts'
import { Order } from './order.ts'
import { type OrderReturn, OrderReturnReason } from './order-life.ts'
import { lockOrder } from './orders.sql.ts'
import { reviseLockedOrder } from './write-order.ts'

export const createOrderReturn = defineOperation({
  id: 'v1_create_order_return',
  method: 'POST',
  path: '/v1/orders/{order_id}/returns',
  auth: 'secret',
  scope: 'orders:write',
  tag: 'Orders',
  summary: 'Request a return',
  description:
    'Asks the merchant to take back units of an order. The merchant accepts with a refund or declines; read the order to ' +
    'see which. The order must be confirmed and paid, and a unit is returned only once. A merchant elsewhere takes no ' +
    'returns from here.',
  params: Closed({ order_id: IdParam('The order.', 'ord') }),
  body: Closed({
    reason: Type.Optional(Described({ ...OrderReturnReason, default: 'other' }, 'Why the goods go back.')),
    note: Type.Optional(Nullable(Text(2000, { description: 'A note to the merchant.' }))),
    line_items: Type.Optional(
      Described(LineQuantities, 'Which units go back. Default: everything that is not in another return.'),
    ),
  }),
  bodyOptional: true,
  examples: {
    one_unit: {
      summary: 'Return one unit of the first line',
      body: { reason: 'damaged', note: 'The handle is broken.', line_items: [{ index: 0, quantity: 1 }] },
    },
    everything: { summary: 'Return everything', body: { reason: 'no_longer_wanted' } },
  },
  responses: { 201: Order },
  problems: ['not_found', 'order_not_returnable', 'not_supported_by_merchant', 'object_limit_reached'],
  async handle(ctx, { path, body }) {
    const { accountId, mode } = ctx.tenant
    const order = await ctx.tx.maybe(lockOrder({ account_id: accountId, mode, id: path.order_id }))
    if (!order || order.buyer) throw new Problem('not_found', { param: 'order_id' })
    if (order.merchant_account_id === null) throw new Problem('not_supported_by_merchant')
    checkLines(body.line_items, order.line_items)
    const decided = decideReturn(order, body.line_items)
    if (!decided.ok) throw new Problem(decided.refusal)
    const at = ctx.now.toISOString()
    const asked: OrderReturn = {
      id: ctx.newId('ret'),
      status: 'requested',
      reason: body.reason ?? 'other',
      note: body.note ?? null,
      line_items: decided.value,
      merchant_note: null,
      created_at: at,
      updated_at: at,
    }
    const changes = { returns: [...order.returns, asked] }
    return reply(201, reviseLockedOrder(ctx, order, changes, ['order.return_requested']).shown)
  },
})
