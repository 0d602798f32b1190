import Type from 'typebox'
import type { CallContext } from '../../../contract/context.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Closed, Described, IdParam, Nullable, PositiveAmount, Text } from '../../../contract/schemas.ts'
import { checkLines, LineQuantities } from './lines.ts'
import { lockOrderAsMerchant } from './lock-order-as-merchant.ts'
import { Order, type OrderRow, renderOrder } from './order.ts'
import { selectMerchantOrder } from './orders.sql.ts'
import { requestRefund } from './request-refund.ts'

/** How many milliseconds a call waits for the rail's answer. Most answers need a fraction of a second. */
const refundWaitMs = 3000

export const createMerchantOrderRefund = defineOperation({
  id: 'v1_create_merchant_order_refund',
  method: 'POST',
  path: '/v1/merchant/orders/{order_id}/refunds',
  auth: 'secret',
  scope: 'merchant_orders:respond',
  tag: 'Merchant orders',
  summary: 'Refund an order',
  description:
    'Gives back all or part of what was captured. Without `amount`, it is what was paid for the lines you name, or for the ' +
    'return, with their tax and without fulfillment; if you name neither, it is everything that is left. All refunds ' +
    'together never exceed what was captured. The answer waits a few seconds for the money to move. Until then the refund ' +
    'is `pending` in `refunds`, and you must not send it again. Money that went back is listed in `adjustments`. ' +
    'While the holder of the card disputes the payment at their bank, nothing is refunded.',
  destructive: true,
  params: Closed({ order_id: IdParam('The order.', 'ord') }),
  body: Closed({
    amount: Type.Optional(
      PositiveAmount("What to give back in all, in minor units (1999 is $19.99) of the order's currency."),
    ),
    reason: Type.Optional(Nullable(Text(500, { description: 'Why; the buyer sees it.' }))),
    line_items: Type.Optional(Described(LineQuantities, 'Which units it is for.')),
    return_id: Type.Optional(IdParam('The return that this settles.', 'ret')),
  }),
  bodyOptional: true,
  examples: {
    amount: { summary: 'Give back $5.00', body: { amount: 500, reason: 'Late delivery' } },
    one_unit: { summary: 'Give back what one unit cost', body: { line_items: [{ index: 0, quantity: 1 }] } },
    everything: { summary: 'Give back everything that is left', body: {} },
  },
  responses: { 201: Order },
  problems: [
    'not_found',
    'order_not_refundable',
    'disputed',
    'refund_exceeds_captured',
    'return_not_open',
    'object_limit_reached',
  ],
  async handle(ctx, { path, body }) {
    const order = await lockOrderAsMerchant(ctx, path.order_id)
    checkLines(body.line_items, order.line_items)
    const { row, id } = await requestRefund(ctx, order, {
      amount: body.amount === undefined ? null : BigInt(body.amount),
      lines: body.line_items,
      returnId: body.return_id ?? null,
      reason: body.reason ?? null,
    })
    return reply(201, renderOrder(row, 'merchant'), {
      settle: async () => reply(201, await settled(ctx, row, id)),
    })
  },
})

/** The order once the rail has answered, or at the end of the wait. */
async function settled(ctx: CallContext, order: OrderRow, refundId: string): Promise<Order> {
  const key = { merchant_account_id: ctx.tenant.accountId, mode: order.mode, id: order.id }
  let latest = order
  await ctx.waitFor(order.id, refundWaitMs, async () => {
    latest = (await ctx.reads.maybe(selectMerchantOrder(key))) ?? latest
    const refund = latest.refunds.find(({ id }) => id === refundId)
    return refund === undefined || refund.status === 'pending' ? null : refund
  })
  return renderOrder(latest, 'merchant')
}
