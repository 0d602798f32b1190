export { takeDiscoveryRate } from './discovery-rates.ts'
export { readNamedProducts, searchMerchant } from './merchant-catalog.ts'
export { CatalogProduct } from './product.ts'
