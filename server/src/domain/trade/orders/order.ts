import Type, { type Static } from 'typebox'
import type { Mode, Tenant } from '../../../contract/context.ts'
import {
  Amount,
  At,
  Closed,
  Described,
  IdOf,
  Named,
  Nullable,
  OneOf,
  objectHead,
} from '../../../contract/schemas.ts'
import type { Id } from '../../../core/id.ts'
import { toWire } from '../../../core/money.ts'
import { Inputs } from '../../selling/catalog/public.ts'
import { type OrderChannel, orderChannels, orderPaymentStatuses, orderStatuses } from './machine.ts'
import { OrderAdjustment, OrderFulfillment, OrderRefund, OrderReturn } from './order-life.ts'

export const OrderStatusSchema = Named(
  'OrderStatus',
  OneOf(orderStatuses, {
    description:
      'How far an order is. The merchant confirms or rejects it within 24 hours; otherwise it expires and the payment is released. ' +
      'At a merchant elsewhere it is confirmed from the start.',
  }),
)
export const OrderPaymentStatusSchema = Named(
  'OrderPaymentStatus',
  OneOf(orderPaymentStatuses, {
    description:
      'How far the payment of an order is: held (`authorized`), charged (`captured`), given back, or released (`voided`).',
  }),
)

export const LineItem = Named(
  'OrderLineItem',
  Closed(
    {
      catalog_item_id: Nullable(IdOf('cat', 'The catalog item; null if it is none.')),
      catalog_variant_id: Nullable(IdOf('var', 'The variant; null if it is none.')),
      sku: Nullable(Type.String({ description: "The merchant's SKU." })),
      title: Type.String({ description: 'What it is called.' }),
      url: Nullable(Type.String({ description: 'The product page.' })),
      quantity: Type.Integer({ minimum: 1, description: 'How many units.' }),
      unit_amount: Amount(
        'What one unit costs, before tax and fulfillment, in minor units (1999 is $19.99). If only all units together were quoted, rounded down.',
      ),
      amount: Amount('What all units of the line cost together, in minor units (1999 is $19.99).'),
      inputs: Type.Optional(
        Described(Inputs, 'What the buyer told for it, by the names of `required_inputs`.'),
      ),
    },
    { description: 'A line of an order.' },
  ),
)
export type LineItem = Static<typeof LineItem>

const OrderTotal = Named(
  'OrderTotal',
  Closed(
    {
      type: OneOf(['subtotal', 'fulfillment', 'tax', 'discount', 'total'], {
        description: 'What the amount is.',
      }),
      amount: Amount('The amount in all, in minor units (1999 is $19.99).'),
    },
    { description: 'A part of what an order costs.' },
  ),
)

export const OrderAddress = Named(
  'OrderAddress',
  Closed(
    {
      recipient_name: Type.String({ description: 'Who receives the goods.' }),
      line1: Type.String({ description: 'Street and number.' }),
      line2: Nullable(Type.String({ description: 'Apartment, floor or other addition.' })),
      city: Type.String({ description: 'City.' }),
      state: Nullable(Type.String({ description: 'State, province or region.' })),
      postal_code: Nullable(Type.String({ description: 'Postal code.' })),
      country: Type.String({ description: 'ISO 3166-1 alpha-2 country code.' }),
    },
    { description: 'Where an order is shipped to.' },
  ),
)
export type OrderAddress = Static<typeof OrderAddress>

export const OrderCustomer = Named(
  'OrderCustomer',
  Closed(
    {
      name: Type.String({ description: 'The name of the person.' }),
      email: Type.String({ description: 'E-mail address.' }),
      phone: Nullable(Type.String({ description: 'Phone number in E.164 form; null if it is not known.' })),
    },
    { description: 'The person an order was bought for.' },
  ),
)
export type OrderCustomer = Static<typeof OrderCustomer>

export const OrderBuyer = Named(
  'OrderBuyer',
  Closed(
    {
      kind: OneOf(['platform', 'payer'], {
        description: '`platform`: a platform ordered over UCP. `payer`: somebody paid over MPP.',
      }),
      profile_url: Nullable(
        Type.String({ description: "The address of the platform's profile; null for a payer." }),
      ),
      source: Nullable(
        Type.String({ description: 'How the payer names itself; null for a platform, or if it did not.' }),
      ),
    },
    { description: 'A buyer who has no account of this service.' },
  ),
)
export type OrderBuyer = Static<typeof OrderBuyer>

const disputeStatuses = ['needs_response', 'under_review', 'closed'] as const
const disputeOutcomes = ['won', 'lost', 'dropped'] as const

const OrderDispute = Named(
  'OrderDispute',
  Closed(
    {
      status: OneOf(disputeStatuses, {
        description:
          'How far it is: the operator answers the bank until `due_by` (`needs_response`), the bank decides (`under_review`), or it has (`closed`).',
      }),
      amount: Amount('What the bank asks back, in minor units (1999 is $19.99).'),
      due_by: Nullable(At('Until when the bank takes an answer; null if it awaits none.')),
      outcome: Nullable(
        OneOf(disputeOutcomes, {
          description:
            'Who has the money: the merchant (`won`), the holder of the card (`lost`), or the bank asked no further (`dropped`); null until it is closed.',
        }),
      ),
    },
    { description: 'A payment that the holder of the card has disputed at their bank.' },
  ),
)

export const Order = Named(
  'Order',
  Closed(
    {
      ...objectHead('ord', 'order'),
      channel: OneOf(orderChannels, {
        description:
          'How it was bought: `native` from a merchant of this service; otherwise at a merchant elsewhere, whose messages say ' +
          'what becomes of it. Such an order cannot be cancelled or returned here.',
      }),
      status: Described(OrderStatusSchema, 'How far the order is.'),
      payment_status: Described(OrderPaymentStatusSchema, 'How far the payment is.'),
      merchant: Closed(
        {
          id: Nullable(IdOf('acct', "The merchant's id; null for a merchant elsewhere.")),
          slug: Nullable(Type.String({ description: 'Its short name in URLs and quotes.' })),
          domain: Nullable(Type.String({ description: 'Its domain.' })),
          name: Nullable(Type.String({ description: 'Its name.' })),
        },
        { description: 'The merchant.' },
      ),
      customer: Described(OrderCustomer, 'The person it was bought for.'),
      shipping_address: Nullable(
        Described(OrderAddress, 'Where it is shipped to; null if nothing is shipped.'),
      ),
      currency: Type.String({ description: 'ISO 4217 code of its amounts.' }),
      total_amount: Amount(
        'What the order costs in all, in minor units (1999 is $19.99); what is captured once it is confirmed.',
      ),
      authorized_amount: Amount(
        'What the buyer authorized in all, in minor units (1999 is $19.99); no total is ever above it.',
      ),
      line_items: Type.Array(LineItem, { description: 'What was bought.' }),
      totals: Type.Array(OrderTotal, { description: 'What the total consists of.' }),
      fulfillments: Type.Array(OrderFulfillment, { description: 'What is on its way or was delivered.' }),
      adjustments: Type.Array(OrderAdjustment, { description: 'What was taken off or went back.' }),
      refunds: Type.Array(OrderRefund, { description: 'The refunds, those in progress too.' }),
      returns: Type.Array(OrderReturn, { description: 'The returns that the buyer asked for.' }),
      dispute: Nullable(
        Described(
          OrderDispute,
          'What the holder of the card disputes at their bank; null if nothing. While it is open, nothing is refunded. `payment_status` stays as it is.',
        ),
      ),
      reservation_reference: Nullable(
        Type.String({ description: "The merchant's reference of a reservation; null if there is none." }),
      ),
      confirmation_reference: Nullable(
        Type.String({ description: "The merchant's own order number; null until it confirms." }),
      ),
      order_url: Nullable(
        Type.String({
          description:
            'Where the buyer sees the order at its merchant; null for a merchant of this service, or if the merchant said none.',
        }),
      ),
      note: Nullable(Type.String({ description: "The merchant's note to its answer." })),
      cancel_reason: Nullable(
        Type.String({ description: 'Why it was cancelled; null if it was not, or nobody said.' }),
      ),
      purchase_intent_id: Nullable(
        Type.String({
          description: "The buyer's purchase intent; null for the merchant.",
        }),
      ),
      quote_id: Nullable(IdOf('quo', 'The quote it was bought at; null if there is none.')),
      buyer: Nullable(
        Described(OrderBuyer, 'Where the buyer came from; null if the buyer has an account of this service.'),
      ),
      expires_at: Nullable(
        At(
          'Until when the merchant can answer; null for a merchant elsewhere, who has taken the order already.',
        ),
      ),
      responded_at: Nullable(At('When the merchant answered; null if it has not.')),
    },
    {
      description:
        'An order. At a merchant of this service, buyer and merchant see the same object, each what concerns it. At a merchant ' +
        'elsewhere it shows what that merchant says of it; `payment_status` is what the payment rail says.',
    },
  ),
)
export type Order = Static<typeof Order>

export type ShownDispute = { readonly id: string } & Static<typeof OrderDispute>

export type OrderRow = {
  account_id: Id<'acct'>
  mode: Mode
  id: Id<'ord'>
  /** Null: the merchant is a stranger. */
  merchant_account_id: Id<'acct'> | null
  merchant_name: string | null
  merchant_slug: string | null
  merchant_domain: string | null
  purchase_intent_id: Id<'pi'> | null
  cart_id: Id<'cart'> | null
  attempt: number | null
  quote_id: Id<'quo'> | null
  /** Null: the buyer has an account here. Otherwise the merchant's own account holds the order. */
  buyer: OrderBuyer | null
  channel: OrderChannel
  /** Where the buyer sees it at a stranger. */
  order_url: string | null
  status: Order['status']
  payment_status: Order['payment_status']
  currency: string
  subtotal_amount: bigint
  fulfillment_amount: bigint
  tax_amount: bigint
  discount_amount: bigint
  total_amount: bigint
  /** The first total; null while the total has not changed. */
  authorized_amount: bigint | null
  /** Null where the merchant named the tax itself. */
  tax_basis_points: number | null
  line_items: LineItem[]
  fulfillments: Order['fulfillments']
  adjustments: Order['adjustments']
  refunds: Order['refunds']
  returns: Order['returns']
  /** The newest that is open, else the last one. `id`: as the rail names it. */
  dispute: ShownDispute | null
  /** The sum of the refunds that are under way or have succeeded. */
  refunds_amount: bigint
  customer: OrderCustomer
  shipping_address: OrderAddress | null
  /** The rail's name of the capture; null where the journal of the purchase has it. */
  capture_reference: string | null
  /** The rail that has made it; null where it names none, and in orders from before rails had names. */
  capture_rail: string | null
  reservation_reference: string | null
  confirmation_reference: string | null
  note: string | null
  cancel_reason: string | null
  response_digest: Buffer | null
  responded_by_type: string | null
  responded_by_id: string | null
  responded_at: Date | null
  /** Null: nobody here has to answer. */
  expires_at: Date | null
  /** When the order expires, while it awaits the merchant; null after that. */
  due_at: Date | null
  /** The scheme of its refunds' ids. */
  seq: number
  created_at: Date
  updated_at: Date
}

/** How an order stands, for who placed it. */
export type OrderProgress = Pick<
  OrderRow,
  'id' | 'cart_id' | 'status' | 'note' | 'confirmation_reference' | 'total_amount'
>

/** The side that an order is rendered for. */
type OrderSide = 'buyer' | 'merchant'

export function renderOrder(row: OrderRow, side: OrderSide): Order {
  return {
    id: row.id,
    object: 'order',
    mode: row.mode,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    channel: row.channel,
    status: row.status,
    payment_status: row.payment_status,
    merchant: {
      id: row.merchant_account_id,
      slug: row.merchant_slug,
      domain: row.merchant_domain,
      name: row.merchant_name,
    },
    customer: row.customer,
    shipping_address: row.shipping_address,
    currency: row.currency,
    total_amount: toWire(row.total_amount),
    authorized_amount: toWire(authorizedAmount(row)),
    line_items: row.line_items,
    totals: totalsOf(row),
    fulfillments: row.fulfillments,
    adjustments: row.adjustments,
    refunds: row.refunds,
    returns: row.returns,
    dispute: row.dispute && disputeOf(row.dispute),
    reservation_reference: row.reservation_reference,
    confirmation_reference: row.confirmation_reference,
    order_url: row.order_url,
    note: row.note,
    cancel_reason: row.cancel_reason,
    // For the merchant an id of the buyer's account would answer 404; the two sides share only the order's own id.
    purchase_intent_id: side === 'buyer' ? row.purchase_intent_id : null,
    quote_id: row.quote_id,
    buyer: row.buyer,
    expires_at: row.expires_at?.toISOString() ?? null,
    responded_at: row.responded_at?.toISOString() ?? null,
  }
}

function disputeOf({ id: _, ...shown }: ShownDispute): Order['dispute'] {
  return shown
}

/** The amount that the buyer authorized, which nothing that happens to the order ever exceeds. */
export function authorizedAmount(row: Pick<OrderRow, 'authorized_amount' | 'total_amount'>): bigint {
  return row.authorized_amount ?? row.total_amount
}

/** The buyer's account: it owns the order, even when another party acts on it. */
export function ownerOf(row: OrderRow): Tenant {
  return { accountId: row.account_id, mode: row.mode }
}

function totalsOf(row: OrderRow): Order['totals'] {
  return [
    { type: 'subtotal', amount: toWire(row.subtotal_amount) },
    { type: 'fulfillment', amount: toWire(row.fulfillment_amount) },
    { type: 'tax', amount: toWire(row.tax_amount) },
    ...(row.discount_amount > 0n ? [{ type: 'discount' as const, amount: toWire(row.discount_amount) }] : []),
    { type: 'total', amount: toWire(row.total_amount) },
  ]
}
