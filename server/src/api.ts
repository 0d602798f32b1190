import type { Operation } from './contract/operation.ts'
import { onboardingLinkOperations } from './domain/buyers/onboarding-links/operations.ts'
import { paymentMethodOperations } from './domain/buyers/payment-methods/operations.ts'
import { profileOperations } from './domain/buyers/profiles/operations.ts'
import { purchaseIntentOperations } from './domain/buying/intents/operations.ts'
import { policyOperations } from './domain/policies/operations.ts'
import { integrationCheckOperations } from './domain/readiness/integration-checks/operations.ts'
import { merchantCatalogOperations } from './domain/selling/catalog/operations.ts'
import { catalogImportOperations } from './domain/selling/catalog-imports/operations.ts'
import { locationOperations } from './domain/selling/locations/operations.ts'
import { marketOperations } from './domain/selling/markets/operations.ts'
import { merchantOperations } from './domain/selling/merchant/operations.ts'
import { promotionOperations } from './domain/selling/promotions/operations.ts'
import { rateCardOperations } from './domain/selling/rate-cards/operations.ts'
import { orderOperations } from './domain/trade/orders/operations.ts'
import { quoteOperations } from './domain/trade/quotes/operations.ts'
import { destinationOperations } from './domain/webhooks/destinations/operations.ts'

/** Every operation of the public interface. Adding one is a file in its slice and a line in the slice's list. */
export const operations: readonly Operation[] = [
  ...profileOperations,
  ...paymentMethodOperations,
  ...policyOperations,
  ...purchaseIntentOperations,
  ...merchantOperations,
  ...merchantCatalogOperations,
  ...locationOperations,
  ...marketOperations,
  ...rateCardOperations,
  ...catalogImportOperations,
  ...promotionOperations,
  ...onboardingLinkOperations,
  ...destinationOperations,
  ...orderOperations,
  ...quoteOperations,
  ...integrationCheckOperations,
]
