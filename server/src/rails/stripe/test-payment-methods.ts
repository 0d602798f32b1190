import type { PaymentCard } from '../../domain/buying/rails/port.ts'

/** Cards of test mode that are not simply approved, as the test payment method of Stripe that behaves like them. */
const unusual: Readonly<Record<string, string>> = {
  visa_issuer_declined: 'pm_card_visa_chargeDeclined',
  mastercard_issuer_declined: 'pm_card_visa_chargeDeclined',
  visa_insufficient_funds: 'pm_card_visa_chargeDeclinedInsufficientFunds',
}

/** How Stripe's test mode knows a card; null: it does not. A card of the vault is no payment method of an account at Stripe. */
export function paymentMethodOf({ testCard }: PaymentCard): string | null {
  if (testCard === null) return null
  const [brand] = testCard.split('_')
  return unusual[testCard] ?? (brand === 'mastercard' ? 'pm_card_mastercard' : 'pm_card_visa')
}
