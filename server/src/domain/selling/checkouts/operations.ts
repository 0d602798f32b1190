import { ucpCancelCheckout } from './cancel-checkout.ts'
import { ucpCancelCart } from './carts/cancel-cart.ts'
import { ucpCreateCart } from './carts/create-cart.ts'
import { ucpGetCart } from './carts/get-cart.ts'
import { ucpUpdateCart } from './carts/update-cart.ts'
import { ucpCompleteCheckout } from './complete-checkout.ts'
import { ucpCreateCheckout } from './create-checkout.ts'
import { ucpGetCheckout } from './get-checkout.ts'
import { ucpGetOrder } from './get-order.ts'
import { ucpUpdateCheckout } from './update-checkout.ts'

export const checkoutOperations = [
  ucpCreateCart,
  ucpGetCart,
  ucpUpdateCart,
  ucpCancelCart,
  ucpCreateCheckout,
  ucpGetCheckout,
  ucpUpdateCheckout,
  ucpCompleteCheckout,
  ucpCancelCheckout,
  ucpGetOrder,
]
