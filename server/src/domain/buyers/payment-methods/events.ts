import { defineEvent, type TypesOf } from '../../../contract/event.ts'
import type { PaymentMethod } from './payment-method.ts'

const paymentMethodEvent = defineEvent<PaymentMethod>()

/** The events of this slice. */
export const paymentMethodEvents = {
  'payment_method.created': paymentMethodEvent({ summary: 'A payment method was added.' }),
  'payment_method.updated': paymentMethodEvent({ summary: 'A payment method changed.' }),
  'payment_method.verified': paymentMethodEvent({ summary: 'A payment method was verified.' }),
  'payment_method.verification_refused': paymentMethodEvent({
    summary: 'A payment method was not verified.',
  }),
  'payment_method.deleted': paymentMethodEvent({ summary: 'A payment method was deleted.' }),
}

declare module '../../../contract/event.ts' {
  interface Events extends TypesOf<typeof paymentMethodEvents> {}
}
