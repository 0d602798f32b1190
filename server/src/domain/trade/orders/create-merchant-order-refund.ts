import Type from 'typebox'
import type { CallContext } from '../../../contract/context.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, Described, IdParam, Nullable, Text } from '../../../contract/schemas.ts'
import type { Id } from '../../../core/id.ts'
import { toWire } from '../../../core/money.ts'
import { derivedId } from '../../../platform/ids/derived-id.ts'
import { decideRefund, type RefundRefusal } from './decide-refund.ts'
import { checkLines, LineQuantities, type LineQuantity } from './lines.ts'
import { lockOrderAsMerchant } from './lock-order-as-merchant.ts'
import { Order, type OrderRow, renderOrder } from './order.ts'
import type { OrderRefund } from './order-life.ts'
import { selectMerchantOrder } from './orders.sql.ts'
import { insertRefund, selectRefundExists } from './refunds.sql.ts'
import { reviseLockedOrder } from './write-order.ts'

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
    'is `pending` in `refunds`, and you must not send it again. Money that went back is listed in `adjustments`.',
  destructive: true,
  params: Closed({ order_id: IdParam('The order.', 'ord') }),
  body: Closed({
    amount: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000_000_000,
        description: "What to give back in all, in minor units (1999 is $19.99) of the order's currency.",
      }),
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
    'refund_exceeds_captured',
    'return_not_open',
    'object_limit_reached',
  ],
  async handle(ctx, { path, body }) {
    const order = await lockOrderAsMerchant(ctx, path.order_id)
    checkLines(body.line_items, order.line_items)
    const decided = decideRefund(order, {
      amount: body.amount === undefined ? null : BigInt(body.amount),
      lines: body.line_items,
      returnId: body.return_id ?? null,
    })
    if (!decided.ok) throw refusalOf(decided.refusal, order)
    const id = await newRefundId(ctx, order)
    const terms = { id, ...decided.value, reason: body.reason ?? null, returnId: body.return_id ?? null }
    const row = startRefund(ctx, order, terms)
    return reply(201, renderOrder(row, 'merchant'), {
      settle: async () => reply(201, await settled(ctx, row, id)),
    })
  },
})

type Terms = {
  id: Id<'rfd'>
  amount: bigint
  lines: LineQuantity[]
  reason: string | null
  returnId: string | null
}

/**
 * After a restore from a backup the id is the same again, so that the rail recognizes the refund. By the first scheme a refund of another
 * order of the purchase may have this id already; then the refund gets the id that today's scheme gives.
 */
async function newRefundId(ctx: CallContext, order: OrderRow): Promise<Id<'rfd'>> {
  const id = derivedId(order.id_scheme, 'rfd', order.id, order.refunds.length)
  if (order.id_scheme !== 1) return id
  const { account_id, mode } = order
  const isTaken = (await ctx.tx.maybe(selectRefundExists({ account_id, mode, id }))) !== null
  return isTaken ? derivedId(2, 'rfd', order.id, order.refunds.length) : id
}

/** Writes the refund into the order and as work; the worker that has the payment rail sends it. */
function startRefund(
  ctx: CallContext,
  order: OrderRow,
  { id, amount, lines, reason, returnId }: Terms,
): OrderRow {
  const { cart_id: cartId, attempt } = order
  if (cartId === null || attempt === null) throw new Error('a refund of what no purchase paid for')
  const at = ctx.now.toISOString()
  const refund: OrderRefund = {
    id,
    amount: toWire(amount),
    status: 'pending',
    reason,
    line_items: lines,
    return_id: returnId,
    created_at: at,
    updated_at: at,
  }
  const { row } = reviseLockedOrder(
    ctx,
    order,
    { refunds: [...order.refunds, refund], refunds_amount: order.refunds_amount + amount },
    ['order.refund_requested'],
  )
  ctx.tx.write(
    insertRefund({
      account_id: order.account_id,
      mode: order.mode,
      id,
      order_id: order.id,
      cart_id: cartId,
      attempt,
      amount,
      currency: order.currency,
      status: 'pending',
      tries: 0,
      asked: 0,
      may_have_left: false,
      reference: null,
      failure_code: null,
      sent_at: null,
      settled_at: null,
      due_at: ctx.now,
      created_at: ctx.now,
      put_off: null,
    }),
  )
  ctx.tx.wake('refunds')
  return row
}

/** The order once the rail has answered, or at the end of the wait. */
async function settled(ctx: CallContext, order: OrderRow, refundId: string): Promise<Order> {
  const key = { merchant_account_id: order.merchant_account_id, mode: order.mode, id: order.id }
  let latest = order
  await ctx.waitFor(order.id, refundWaitMs, async () => {
    latest = (await ctx.reads.maybe(selectMerchantOrder(key))) ?? latest
    const refund = latest.refunds.find(({ id }) => id === refundId)
    return refund === undefined || refund.status === 'pending' ? null : refund
  })
  return renderOrder(latest, 'merchant')
}

function refusalOf(refusal: RefundRefusal, order: OrderRow): Problem {
  switch (refusal) {
    case 'return_not_found':
      return new Problem('not_found', { param: 'return_id' })
    case 'return_not_open':
      return new Problem(refusal, { param: 'return_id' })
    case 'refund_exceeds_captured':
      return new Problem(refusal, {
        extra: { refundable_amount: toWire(order.total_amount - order.refunds_amount) },
      })
    case 'order_not_refundable':
    case 'object_limit_reached':
      return new Problem(refusal)
    default:
      return refusal satisfies never
  }
}
