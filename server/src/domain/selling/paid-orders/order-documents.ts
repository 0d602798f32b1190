import Type, { type Static } from 'typebox'
import { Amount, At, Closed, Described, IdOf, Named, Nullable, OneOf } from '../../../contract/schemas.ts'
import type { Id } from '../../../core/id.ts'
import { toWire } from '../../../core/money.ts'
import {
  LineItem,
  OrderFulfillment,
  OrderPaymentStatusSchema,
  OrderStatusSchema,
} from '../../trade/orders/public.ts'
import { type PriceParts, totalOf } from '../pricing/public.ts'

const Totals = Closed(
  {
    subtotal: Amount('What the goods cost, in minor units (1999 is $19.99).'),
    fulfillment: Amount('What sending them costs.'),
    tax: Amount('Taxes.'),
    discount: Amount('What is taken off.'),
    total: Amount('What has to be paid in all.'),
  },
  { description: 'The price and what it consists of.' },
)

export const OrderQuote = Named(
  'PaidOrderQuote',
  Closed(
    {
      object: OneOf(['quote'], { description: 'What this is.' }),
      currency: Type.String({ description: 'ISO 4217 code of the amounts.' }),
      totals: Totals,
      line_items: Type.Array(
        Closed({
          variant_id: Type.String({ description: 'The id of the variant.' }),
          title: Type.String({ description: 'What it is called.' }),
          quantity: Type.Integer({ description: 'How many units.' }),
          unit_amount: Amount('What one unit costs.'),
        }),
        { description: 'What is priced.' },
      ),
      shipping_options: Type.Array(
        Closed({
          id: Type.String({ description: 'What to send as `shipping_option_id`.' }),
          title: Type.String({ description: 'What it is called.' }),
          amount: Amount('What it costs.'),
          earliest: Nullable(
            Type.String({ description: 'When the goods arrive at the earliest; null: unknown.' }),
          ),
          latest: Nullable(
            Type.String({ description: 'When the goods arrive at the latest; null: unknown.' }),
          ),
        }),
        { description: 'The ways in which the goods can be sent to this address.' },
      ),
      shipping_option_id: Nullable(
        Type.String({
          description: 'The option in the price; null where nothing is sent, or not yet known.',
        }),
      ),
      is_ready: Type.Boolean({ description: 'Whether it can be ordered as it is.' }),
      missing: Type.Array(
        Closed({
          code: Type.String({ description: 'What is missing, for programs.' }),
          message: Type.String({ description: 'What is missing, for people.' }),
        }),
        { description: 'What is missing until it can be ordered.' },
      ),
    },
    { description: 'What an order would cost now. It is not kept.' },
  ),
)

/** What was ordered, as it was placed: it never changes, so a repeated request gets the same answer. */
export const PaidOrder = Named(
  'PaidOrder',
  Closed(
    {
      id: IdOf('ord', 'The id of the order.'),
      object: OneOf(['order'], { description: 'What this is.' }),
      status: OneOf(['awaiting_confirmation'], {
        description: 'The merchant has not answered yet. `status_url` says how the order stands.',
      }),
      currency: Type.String({ description: 'ISO 4217 code of the amounts.' }),
      totals: Totals,
      line_items: Type.Array(LineItem, { description: 'What was ordered.' }),
      payment: Closed(
        {
          method: OneOf(['vault', 'stripe'], { description: 'The payment method.' }),
          reference: Type.String({ description: 'The payment, as the receipt names it.' }),
          status: OneOf(['authorized'], {
            description: 'The money is held. It is taken when the merchant confirms, and released when not.',
          }),
        },
        { description: 'How it is paid.' },
      ),
      status_url: Type.String({
        description: 'Where to read how the order stands. Who has the address can read it.',
      }),
      attribution_token: Nullable(
        Type.String({ description: 'The token of a search that came with the order; null: none did.' }),
      ),
      created_at: At('When it was placed.'),
    },
    { description: 'An order that is paid.' },
  ),
)
export type PaidOrder = Static<typeof PaidOrder>

type Placed = {
  readonly saleId: Id<'sal'>
  readonly orderId: Id<'ord'>
  readonly currency: string
  readonly amounts: PriceParts
  readonly lineItems: LineItem[]
  readonly method: PaidOrder['payment']['method']
  readonly at: Date
  readonly statusUrl: string
  readonly attributionToken: string | null
}

export function renderPaidOrder(placed: Placed): PaidOrder {
  const { saleId, orderId, currency, amounts, lineItems, method, at, statusUrl, attributionToken } = placed
  return {
    id: orderId,
    object: 'order',
    status: 'awaiting_confirmation',
    currency,
    totals: renderTotals(amounts),
    line_items: lineItems,
    payment: { method, reference: saleId, status: 'authorized' },
    status_url: statusUrl,
    attribution_token: attributionToken,
    created_at: at.toISOString(),
  }
}

export function renderTotals(amounts: PriceParts): Static<typeof Totals> {
  const { subtotal, fulfillment, tax, discount } = amounts
  return {
    subtotal: toWire(subtotal),
    fulfillment: toWire(fulfillment),
    tax: toWire(tax),
    discount: toWire(discount),
    total: toWire(totalOf(amounts)),
  }
}

export const OrderStanding = Named(
  'PaidOrderStanding',
  Closed(
    {
      id: IdOf('ord', 'The id of the order.'),
      object: OneOf(['order'], { description: 'What this is.' }),
      status: Described(OrderStatusSchema, 'How far the order is.'),
      payment_status: Described(OrderPaymentStatusSchema, 'How far the payment is.'),
      fulfillments: Type.Array(OrderFulfillment, { description: 'What is on its way or was delivered.' }),
      note: Nullable(Type.String({ description: "The merchant's note to its answer; null: there is none." })),
      updated_at: At('When it last changed.'),
    },
    { description: 'How an order stands.' },
  ),
)
