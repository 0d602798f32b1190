import { defineOperation, reply } from '../../../contract/operation.ts'
import { MppHeaders } from '../../../protocols/mpp/mpp-call.ts'
import { OrderQuote, renderTotals } from './order-documents.ts'
import { OrderRequest } from './order-request.ts'
import { ofPayers, takeOrderRate } from './paid-operation.ts'
import { priceOrder } from './price-order.ts'

export const mppQuoteOrder = defineOperation({
  ...ofPayers,
  id: 'mpp_quote_order',
  method: 'POST',
  path: '/quotes',
  readOnly: true,
  summary: 'Price an order',
  description:
    'Says what an order would cost now, how it can be sent, and what is missing. It keeps nothing.',
  headers: MppHeaders,
  body: OrderRequest,
  responses: { 200: OrderQuote },
  problems: ['order_not_possible'],
  async handle(ctx, { body }) {
    await takeOrderRate(ctx)
    const { priced, missing } = await priceOrder(ctx, body)
    const { price, lines, options, selectedOptionId, currency } = priced
    return reply(200, {
      object: 'quote',
      currency,
      totals: renderTotals(price),
      line_items: lines.map(({ item_id: variant_id, title, quantity, unit_amount }) => ({
        variant_id,
        title,
        quantity,
        unit_amount,
      })),
      shipping_options: options.map(({ id, title, amount, earliest, latest }) => ({
        id,
        title,
        amount,
        earliest,
        latest,
      })),
      shipping_option_id: selectedOptionId,
      is_ready: missing.length === 0,
      missing: missing.map(({ code, content: message }) => ({ code, message })),
    })
  },
})
