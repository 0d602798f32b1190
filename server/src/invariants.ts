import { executionInvariants } from './domain/buying/execution/public.ts'
import { purchaseIntentInvariants } from './domain/buying/intents/invariants.ts'
import { policyInvariants } from './domain/policies/invariants.ts'
import { integrationCheckInvariants } from './domain/readiness/integration-checks/invariants.ts'
import { marketInvariants } from './domain/selling/markets/invariants.sql.ts'
import { merchantInvariants } from './domain/selling/merchant/invariants.ts'
import { promotionInvariants } from './domain/selling/promotions/invariants.ts'
import { rateCardInvariants } from './domain/selling/rate-cards/invariants.sql.ts'
import { orderInvariants } from './domain/trade/orders/invariants.ts'
import { quoteInvariants } from './domain/trade/quotes/public.ts'
import { destinationInvariants } from './domain/webhooks/destinations/invariants.sql.ts'
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
