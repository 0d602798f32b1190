import { registerPaymentMethod } from '@evershop/evershop/checkout/services'

/** The shop's own way to pay: a card that is typed into the shop's page. */
export default function bootstrap() {
  registerPaymentMethod({
    init: () => ({ code: 'card', name: 'Credit card' }),
    validator: () => true,
  })
}
