export { cardOfMethod } from './card-of-method.ts'
export {
  type AgenticPreference,
  checkVerification,
  stepUpOf,
  type VerificationInput,
  type VerificationNeeded,
} from './check-verification.ts'
export type { PaymentMethodRow } from './payment-method.ts'
export {
  lockUsablePaymentMethod,
  selectUsablePaymentMethod,
} from './payment-methods.sql.ts'
export { sealedCards } from './sealed-cards.ts'
export { isTestIdentifier, testCvcs } from './test-cards.ts'
export { tryStepUp } from './try-step-up.ts'
export { openVaultedCard, type VaultedCard } from './vault.ts'
export { PaymentVerification } from './verify-profile-payment-method.ts'
