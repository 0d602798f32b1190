import Type, { type Static } from 'typebox'
import { Amount, Closed, IdOf, Named, Nullable, OneOf, Timestamp } from '../../contract/schemas.ts'
import { LineQuantity } from './lines.ts'
import { fulfillmentStatuses, refundStatuses, returnStatuses } from './machine.ts'

/** What happens to an order after it was placed, as its object shows it. */

export const OrderFulfillment = Named(
  'OrderFulfillment',
  Closed({
    id: IdOf('ful'),
    carrier: Nullable(Type.String()),
    tracking_number: Nullable(Type.String()),
    tracking_url: Nullable(Type.String()),
    status: Named('OrderFulfillmentStatus', OneOf(fulfillmentStatuses)),
    line_items: Type.Array(LineQuantity),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
)
export type OrderFulfillment = Static<typeof OrderFulfillment>

export const OrderAdjustment = Named(
  'OrderAdjustment',
  Closed({
    type: OneOf(['reprice', 'refund'], {
      description:
        '`reprice`: what the merchant took off the merchandise before it confirmed, so that the lines less this are the subtotal. ' +
        '`refund`: what went back to the buyer.',
    }),
    amount: Amount(),
    reason: Nullable(Type.String()),
  }),
)
export type OrderAdjustment = Static<typeof OrderAdjustment>

export const OrderRefund = Named(
  'OrderRefund',
  Closed({
    id: IdOf('rfd'),
    amount: Amount(),
    status: Named('OrderRefundStatus', OneOf(refundStatuses)),
    reason: Nullable(Type.String()),
    line_items: Type.Array(LineQuantity),
    return_id: Nullable(IdOf('ret')),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
)
export type OrderRefund = Static<typeof OrderRefund>

export const returnReasons = [
  'damaged',
  'defective',
  'not_as_described',
  'wrong_item',
  'no_longer_wanted',
  'other',
] as const

export const OrderReturnReason = Named('OrderReturnReason', OneOf(returnReasons))

export const OrderReturn = Named(
  'OrderReturn',
  Closed({
    id: IdOf('ret'),
    status: Named('OrderReturnStatus', OneOf(returnStatuses)),
    reason: OrderReturnReason,
    note: Nullable(Type.String({ description: "The buyer's words." })),
    line_items: Type.Array(LineQuantity),
    merchant_note: Nullable(Type.String({ description: "The merchant's words when it declined." })),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
)
export type OrderReturn = Static<typeof OrderReturn>

/** Each kind of thing that one order can hold. */
export const perOrderMax = 100
