import { destinationInvariants } from './features/destinations/invariants.sql.ts'
import { executionInvariants } from './features/execution/public.ts'
import { integrationCheckInvariants } from './features/integration-checks/invariants.ts'
import { marketInvariants } from './features/markets/invariants.sql.ts'
import { merchantInvariants } from './features/merchant/invariants.ts'
import { orderInvariants } from './features/orders/invariants.ts'
import { policyInvariants } from './features/policies/invariants.ts'
import { promotionInvariants } from './features/promotions/invariants.ts'
import { purchaseIntentInvariants } from './features/purchase-intents/invariants.ts'
import { quoteInvariants } from './features/quotes/public.ts'
import { rateCardInvariants } from './features/rate-cards/invariants.sql.ts'
import type { Invariant } from './platform/audit/invariants.ts'
import { platformInvariants } from './platform/audit/platform-invariants.ts'
import { troubleInvariants } from './trouble.sql.ts'

/** Everything `prokura audit` checks. */
export const invariants: readonly Invariant[] = [
  ...platformInvariants,
  ...policyInvariants,
  ...marketInvariants,
  ...rateCardInvariants,
  ...merchantInvariants,
  ...destinationInvariants,
  ...purchaseIntentInvariants,
  ...orderInvariants,
  ...quoteInvariants,
  ...promotionInvariants,
  ...integrationCheckInvariants,
  ...executionInvariants,
  ...troubleInvariants,
]
