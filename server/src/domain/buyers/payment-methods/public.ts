export { type MethodInSession, readMethodInSession } from './added-method.ts'
export { cardOfMethod, readCardFacts, readMethod } from './card-of-method.ts'
export {
  checkVerification,
  isWallet,
  stepUpOf,
  type VerificationInput,
  type VerificationNeeded,
} from './check-verification.ts'
export { type LockedMethod, lockPayingMethod, readPayingMethod } from './paying-method.ts'
export { type PayingMethod, PaymentMethod } from './payment-method.ts'
export { stopAfterRefusals } from './refusals.ts'
export { isTestIdentifier, type StepUp, testCvcs } from './test-cards.ts'
export { nextEnrollmentStep, tryEnrollmentStep } from './try-enrollment-step.ts'
export { PaymentVerification } from './verify-profile-payment-method.ts'
