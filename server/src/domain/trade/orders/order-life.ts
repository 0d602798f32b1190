import Type, { type Static } from 'typebox'
import { Amount, At, Closed, Described, IdOf, Named, Nullable, OneOf } from '../../../contract/schemas.ts'
import { LineQuantity } from './lines.ts'
import { fulfillmentStatuses, refundStatuses, returnStatuses } from './machine.ts'

/** What happens to an order after it was placed, as its object shows it. */

export const OrderFulfillment = Named(
  'OrderFulfillment',
  Closed(
    {
      id: IdOf('ful', 'The id of the fulfillment.'),
      carrier: Nullable(Type.String({ description: 'Who carries it; null if it is not known.' })),
      tracking_number: Nullable(
        Type.String({ description: "The carrier's tracking number; null if there is none." }),
      ),
      tracking_url: Nullable(
        Type.String({ description: 'Where the buyer can follow it; null if there is no such page.' }),
      ),
      status: Described(
        Named(
          'OrderFulfillmentStatus',
          OneOf(fulfillmentStatuses, { description: 'How far goods are on their way.' }),
        ),
        'How far it is.',
      ),
      line_items: Type.Array(LineQuantity, { description: 'Which units it holds.' }),
      created_at: At('When it was reported.'),
      updated_at: At('When it last changed.'),
    },
    { description: 'Goods of an order on their way.' },
  ),
)
export type OrderFulfillment = Static<typeof OrderFulfillment>

export const OrderAdjustment = Named(
  'OrderAdjustment',
  Closed(
    {
      type: OneOf(['reprice', 'refund'], {
        description:
          '`reprice`: what the merchant took off the merchandise before it confirmed. `refund`: what went back to the buyer; at ' +
          'a merchant elsewhere, what it says that it gave back.',
      }),
      amount: Amount('The amount in all, in minor units (1999 is $19.99).'),
      reason: Nullable(Type.String({ description: 'Why; null if nobody said.' })),
    },
    { description: 'What was taken off an order or went back to its buyer.' },
  ),
)
export type OrderAdjustment = Static<typeof OrderAdjustment>

export const OrderRefund = Named(
  'OrderRefund',
  Closed(
    {
      id: IdOf('rfd', 'The id of the refund.'),
      amount: Amount('What is given back in all, in minor units (1999 is $19.99).'),
      status: Described(
        Named(
          'OrderRefundStatus',
          OneOf(refundStatuses, {
            description: 'Whether the money went back. While it is pending, do not send the refund again.',
          }),
        ),
        'Whether the money went back.',
      ),
      reason: Nullable(Type.String({ description: 'Why; null if nobody said.' })),
      line_items: Type.Array(LineQuantity, { description: 'Which units it is for.' }),
      return_id: Nullable(IdOf('ret', 'The return it settles; null if it settles none.')),
      created_at: At('When it was requested.'),
      updated_at: At('When it last changed.'),
    },
    { description: 'Money that is given back.' },
  ),
)
export type OrderRefund = Static<typeof OrderRefund>

const returnReasons = [
  'damaged',
  'defective',
  'not_as_described',
  'wrong_item',
  'no_longer_wanted',
  'other',
] as const

export const OrderReturnReason = Named(
  'OrderReturnReason',
  OneOf(returnReasons, { description: 'Why goods go back.' }),
)

export const OrderReturn = Named(
  'OrderReturn',
  Closed(
    {
      id: IdOf('ret', 'The id of the return.'),
      status: Described(
        Named(
          'OrderReturnStatus',
          OneOf(returnStatuses, { description: 'Whether the merchant refunded or declined a return.' }),
        ),
        'Whether the merchant refunded or declined it.',
      ),
      reason: Described(OrderReturnReason, 'Why the goods go back.'),
      note: Nullable(Type.String({ description: "The buyer's note." })),
      line_items: Type.Array(LineQuantity, { description: 'Which units go back.' }),
      merchant_note: Nullable(Type.String({ description: 'Why the merchant declined, in its words.' })),
      created_at: At('When it was requested.'),
      updated_at: At('When it last changed.'),
    },
    { description: 'Goods that the buyer sends back.' },
  ),
)
export type OrderReturn = Static<typeof OrderReturn>

/** How many of each kind of thing one order can hold. */
export const perOrderMax = 100
