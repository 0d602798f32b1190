import { ucpConformanceCancelCheckout } from './cancel-checkout.ts'
import { ucpConformanceCompleteCheckout } from './complete-checkout.ts'
import { ucpConformanceCreateCheckout } from './create-checkout.ts'
import { ucpConformanceGetCheckout } from './get-checkout.ts'
import { ucpConformanceGetOrder } from './get-order.ts'
import { ucpConformanceSimulateShipping } from './simulate-shipping.ts'
import { ucpConformanceUpdateCheckout } from './update-checkout.ts'
import { ucpConformanceUpdateOrder } from './update-order.ts'

export const conformanceOperations = [
  ucpConformanceCreateCheckout,
  ucpConformanceGetCheckout,
  ucpConformanceUpdateCheckout,
  ucpConformanceCompleteCheckout,
  ucpConformanceCancelCheckout,
  ucpConformanceGetOrder,
  ucpConformanceUpdateOrder,
  ucpConformanceSimulateShipping,
]
