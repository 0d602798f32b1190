import type { CallContext } from '../../../contract/context.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { invalid } from '../../../contract/problem.ts'
import {
  fulfillmentStatuses,
  lockOrderAsMerchant,
  recordFulfillment,
  requestRefund,
  showOrderToMerchant,
} from '../../trade/orders/public.ts'
import { type Checkout, conformanceOrder } from '../checkouts/public.ts'
import { ConformanceAnswer, OrderBody } from './conformance-body.ts'
import { ConformanceHeaders, IdParams, ofSuite, takeConformanceRate } from './conformance-operation.ts'
import { requireShop } from './conformance-shop.ts'
import { requireOrder } from './find-order.ts'

export const ucpConformanceUpdateOrder = defineOperation({
  ...ofSuite,
  id: 'ucp_conformance_update_order',
  method: 'PUT',
  path: '/orders/{id}',
  summary: 'Report on an order',
  description:
    'What is new in the order becomes so: a shipment as the merchant reports one, and a refund as the merchant gives one. Only this ' +
    'release has it, and only for merchants that were made for its suite.',
  headers: ConformanceHeaders,
  params: IdParams,
  body: OrderBody,
  responses: { 200: ConformanceAnswer },
  problems: [
    'not_found',
    'order_not_fulfillable',
    'order_not_refundable',
    'refund_exceeds_captured',
    'return_not_open',
    'object_limit_reached',
  ],
  async handle(ctx, { headers: { ucp_call: call }, path, body }) {
    await takeConformanceRate(ctx)
    await requireShop(ctx)
    const { checkout } = await requireOrder(ctx, call, path.id)
    let row = await lockOrderAsMerchant(ctx, path.id)
    const isKnown = (id: string) => [...row.fulfillments, ...row.refunds].some((one) => one.id === id)
    for (const [index, event] of (body.fulfillment?.events ?? []).entries())
      if (!isKnown(event.id)) row = record(ctx, { row, checkout, event, index })
    for (const [index, one] of (body.adjustments ?? []).entries())
      if (!isKnown(one.id)) row = await adjust(ctx, { row, checkout, one, index })
    return reply(200, conformanceOrder({ order: showOrderToMerchant(row), checkout }, call))
  },
})

type Row = Awaited<ReturnType<typeof lockOrderAsMerchant>>
type Event = NonNullable<NonNullable<OrderBody['fulfillment']>['events']>[number]
type Adjustment = NonNullable<OrderBody['adjustments']>[number]
type Of = { readonly row: Row; readonly checkout: Checkout['row']; readonly index: number }

function record(ctx: CallContext, { row, checkout, event, index }: Of & { readonly event: Event }): Row {
  const loc = ['body', 'fulfillment', 'events', index]
  const status = fulfillmentStatuses.find((one) => one === event.type)
  if (!status) throw invalid([...loc, 'type'], `it must be one of ${fulfillmentStatuses.join(', ')}`)
  const url = event.tracking_url ?? null
  return recordFulfillment(ctx, row, {
    id: null,
    status,
    isLast: false,
    trackingNumber: event.tracking_number ?? null,
    trackingUrl: url?.startsWith('https://') ? url : null,
    ...linesOf(checkout, event, loc),
  }).row
}

async function adjust(
  ctx: CallContext,
  { row, checkout, one, index }: Of & { readonly one: Adjustment },
): Promise<Row> {
  const loc = ['body', 'adjustments', index]
  if (one.type !== 'refund') throw invalid([...loc, 'type'], 'it must be refund')
  const amount = one.amount === undefined ? null : BigInt(one.amount)
  const reason = one.description ?? null
  const { lines } = linesOf(checkout, one, loc)
  return (await requestRefund(ctx, row, { amount, lines, returnId: null, reason })).row
}

/** Lines by their place in the order; none: everything that is left. */
function linesOf(
  { lines }: Checkout['row'],
  { line_items = [] }: Pick<Event, 'line_items'>,
  loc: (string | number)[],
): { lines?: { index: number; quantity: number }[] } {
  if (line_items.length === 0) return {}
  const named = line_items.map(({ id, quantity }, at) => {
    const index = lines.findIndex((line) => line.id === id)
    const isTwice = line_items.findIndex((other) => other.id === id) < at
    if (index < 0 || isTwice) throw invalid([...loc, 'line_items', at, 'id'], 'it must name each line once')
    return { index, quantity }
  })
  return { lines: named }
}
