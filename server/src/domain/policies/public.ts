export { type AccountSettings, accountSettings } from './account-settings.ts'
export type { Widening } from './decide-join.ts'
export { type DecisionInput, decidePurchase, type PolicyVerdict } from './decide-purchase.ts'
export { type JoinedAgents, joinAgents } from './join-agents.ts'
export { type MerchantIdentity, merchantSeen, type SoldItem } from './merchant-identity.ts'
export { selectApplicablePolicies } from './policies.sql.ts'
export type { ApplicablePolicyRow } from './policy.ts'
export { type EvaluatedRule, PolicyDecision, PolicyResult } from './policy-decision.ts'
export { type PastIntent, type PastIntentReads, PastIntents } from './port.ts'
export type { Purchase, PurchaseMerchant } from './purchase.ts'
export {
  admitAgain,
  admitAsDecided,
  admitPurchase,
  exchangeReservation,
  type HoldRefusal,
  type HoldRequest,
  releaseReservation,
  reserve,
  settleReservation,
} from './reservations.ts'
