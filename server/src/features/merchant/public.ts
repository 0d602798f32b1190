export { selectMerchantRow, selectMerchantsByHosts } from './merchant.sql.ts'
export type { MerchantRow } from './merchant.ts'
export { hostsOf, isHostWithin, merchantForUrl } from './merchant-of-url.ts'
export { changeMerchant } from './write-merchant.ts'
