import type { Operation } from './contract/operation.ts'
import { catalogImportOperations } from './features/catalog-imports/operations.ts'
import { destinationOperations } from './features/destinations/operations.ts'
import { integrationCheckOperations } from './features/integration-checks/operations.ts'
import { locationOperations } from './features/locations/operations.ts'
import { marketOperations } from './features/markets/operations.ts'
import { merchantOperations } from './features/merchant/operations.ts'
import { merchantCatalogOperations } from './features/merchant-catalog/operations.ts'
import { onboardingLinkOperations } from './features/onboarding-links/operations.ts'
import { orderOperations } from './features/orders/operations.ts'
import { paymentMethodOperations } from './features/payment-methods/operations.ts'
import { policyOperations } from './features/policies/operations.ts'
import { profileOperations } from './features/profiles/operations.ts'
import { promotionOperations } from './features/promotions/operations.ts'
import { purchaseIntentOperations } from './features/purchase-intents/operations.ts'
import { quoteOperations } from './features/quotes/operations.ts'
import { rateCardOperations } from './features/rate-cards/operations.ts'

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
