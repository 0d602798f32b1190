export { holdPromotions, orderedLines } from './agreed-price.ts'
export {
  type Checkout,
  type CheckoutAnswer,
  cancelCheckout,
  completeCheckout,
  openCheckout,
  readCheckout,
  requestOf,
  reviseCheckout,
} from './change-checkout.ts'
export type { CheckoutBuyer, CheckoutDestination, CheckoutMessage } from './checkout.ts'
export { askingOf, readBusiness } from './checkout-operation.ts'
export type { CheckoutRequest, WantedDelivery } from './checkout-request.ts'
export { completeWaitMs } from './complete-checkout.ts'
export { conformanceCheckout, conformanceOrder } from './conformance-document.ts'
export { forgetUntoldOrders } from './forget-untold-orders.ts'
export { examineInstrument, type SentInstrument, takeInstrument } from './payment-instrument.ts'
export { OrderSigner } from './port.ts'
export { type PricedCheckout, priceCheckout } from './price-checkout.ts'
export { readCheckoutOfOrder } from './read-checkout-of-order.ts'
export type { CheckoutMerchant } from './write-checkout.ts'
