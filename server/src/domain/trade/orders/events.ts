import Type from 'typebox'
import { defineEvent, type TypesOf } from '../../../contract/event.ts'
import { Amount, Closed, Described, IdOf } from '../../../contract/schemas.ts'
import { Order, OrderPaymentStatusSchema } from './order.ts'

const both = { buyer: { order: Order }, merchant: { order: Order } }
const merchantAlone = {
  merchant: {
    payment: Closed(
      {
        order_id: IdOf('ord', 'The order that is paid.'),
        amount: Amount('What the payment or the refund comes to in all, in minor units (1999 is $19.99).'),
        currency: Type.String({ description: 'ISO 4217 code of its amount.' }),
        status: Described(OrderPaymentStatusSchema, 'How far the payment is.'),
        refund_id: Type.Optional(IdOf('rfd', 'The refund, with `payment.refunded`.')),
      },
      { description: 'The payment of an order.' },
    ),
  },
}

const define = defineEvent<Order>()
const orderEvent = (summary: string) => define({ summary, ...both })
const paymentEvent = (summary: string) => define({ summary, ...merchantAlone })

/** What can happen to an order and to its payment. The buyer follows its payments in its purchases. */
export const orderEvents = {
  'order.placed': define({
    summary: 'An order was placed at a merchant elsewhere.',
    buyer: { order: Order },
  }),
  'order.shipped': define({
    summary: 'A merchant elsewhere says that it has sent something of an order.',
    buyer: { order: Order },
  }),
  'order.delivered': define({
    summary: 'A merchant elsewhere says that something of an order was delivered.',
    buyer: { order: Order },
  }),
  'order.requested': orderEvent('A buyer has ordered, and the merchant answers until `expires_at`.'),
  'order.confirmed': orderEvent('The merchant confirmed an order.'),
  'order.rejected': orderEvent('The merchant rejected an order.'),
  'order.expired': orderEvent('The merchant did not answer an order in time.'),
  'order.cancelled': orderEvent('An order was cancelled, here or by its merchant.'),
  'order.repriced': orderEvent('The merchant changed the total of an order.'),
  'order.fulfillment_updated': orderEvent('Something of an order was sent or delivered.'),
  'order.completed': orderEvent('All of an order was delivered.'),
  'order.refund_requested': orderEvent('A refund of an order was asked for.'),
  'order.refunded': orderEvent('A refund of an order was paid, or a merchant elsewhere says so.'),
  'order.refund_failed': orderEvent('A refund of an order failed.'),
  'order.return_requested': orderEvent('The buyer asked to return something.'),
  'order.return_declined': orderEvent('The merchant declined a return.'),
  'order.dispute_opened': orderEvent('The holder of the card disputes the payment of an order.'),
  'order.dispute_updated': orderEvent('A dispute of an order went on.'),
  'order.dispute_closed': orderEvent('A dispute of an order is over.'),
  'payment.authorized': paymentEvent('The payment of an order was authorized.'),
  'payment.captured': paymentEvent('The payment of an order was captured.'),
  'payment.voided': paymentEvent('The payment of an order was voided.'),
  'payment.failed': paymentEvent('The payment of an order failed.'),
  'payment.refunded': paymentEvent('A refund of an order was paid.'),
}

export type OrderChangeType = keyof typeof orderEvents

declare module '../../../contract/event.ts' {
  interface Events extends TypesOf<typeof orderEvents> {}
}
