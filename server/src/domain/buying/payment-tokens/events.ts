import { defineEvent, type TypesOf } from '../../../contract/event.ts'
import { PaymentToken } from './payment-token.ts'

const define = defineEvent<PaymentToken>()
const tokenEvent = (summary: string) => define({ summary, buyer: { payment_token: PaymentToken } })

/** What can happen to a payment token. What its merchant does with it, the events of its cart say. */
export const paymentTokenEvents = {
  'payment_token.created': tokenEvent('A payment token was made of a purchase.'),
  'payment_token.used': tokenEvent('A merchant uses a payment token for an order.'),
}

declare module '../../../contract/event.ts' {
  interface Events extends TypesOf<typeof paymentTokenEvents> {}
}
