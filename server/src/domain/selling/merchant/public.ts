export {
  changedSettings,
  type DestinationSettings,
  type StaleReason,
  staleReasons,
} from './destination-settings.ts'
export {
  merchantTimes,
  type SellerRow,
  selectMerchantOfQuote,
  selectMerchantRow,
  selectMerchantsByHosts,
  selectSeller,
  selectSellersByHosts,
} from './merchant.sql.ts'
export type { MerchantRow } from './merchant.ts'
export { hasMerchantChanged, type IdentityRow, identityOf } from './merchant-identity.ts'
export { hostsOf, isHostWithin, merchantForUrl } from './merchant-of-url.ts'
export {
  selectClaimedTestDomains,
  selectHeldTestDomain,
  selectMerchantOfSlug,
  selectOperatedMerchants,
} from './operated-merchants.sql.ts'
export { isPublicInMode } from './public-in-mode.ts'
export { settingsNow } from './readiness.sql.ts'
export {
  heldTestDomain,
  holdsTestDomain,
  isSandboxDomain,
  sandboxDomains,
  takeTestDomain,
} from './test-domains.ts'
export { changeMerchant } from './write-merchant.ts'
