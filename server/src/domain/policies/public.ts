export { type AccountSettings, accountSettings } from './account-settings.ts'
export { addStandingBudget } from './add-standing-budget.ts'
export type { Widening } from './decide-join.ts'
export { type DecisionInput, decidePurchase, type PolicyVerdict } from './decide-purchase.ts'
export { followTimezone } from './follow-timezone.ts'
export { joinAgents } from './join-agents.ts'
export { type MerchantIdentity, merchantSeen } from './merchant-identity.ts'
export { type ApplicablePolicy, Policy } from './policy.ts'
export { PolicyDecision, PolicyResult } from './policy-decision.ts'
export { Interval } from './policy-terms.ts'
export { type PastIntent, type PastIntentReads, PastIntents } from './port.ts'
export type { Purchase, PurchaseMerchant } from './purchase.ts'
export { readApplicablePolicies } from './read-policies.ts'
export {
  admitAgain,
  admitAsDecided,
  admitPurchase,
  correctReservation,
  exchangeReservation,
  type HoldRefusal,
  type HoldRequest,
  releaseReservation,
  reserve,
  settleReservation,
} from './reservations.ts'
