export { findPublicMerchant } from './find-public-merchant.ts'
export type { MerchantRecord, Seller } from './merchant.ts'
export { hasMerchantChanged, type IdentityFacts, identityOf } from './merchant-identity.ts'
export { hostsOf, isHostWithin, merchantForUrl } from './merchant-of-url.ts'
export { merchantRecords } from './merchant-records.ts'
export { Readiness, type ReadinessFacts, type ReadReadiness, type SetupFacts } from './port.ts'
export { isPublicInMode } from './public-in-mode.ts'
export { readMerchant, readSeller, readSellersAt } from './read-merchant.ts'
export {
  heldTestDomain,
  holdsTestDomain,
  isSandboxDomain,
  sandboxDomains,
  takeTestDomain,
} from './test-domains.ts'
