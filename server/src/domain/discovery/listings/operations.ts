import { getCatalogProduct } from './get-catalog-product.ts'
import { lookupCatalog } from './lookup-catalog.ts'
import { searchCatalog } from './search-catalog.ts'

export const listingOperations = [searchCatalog, lookupCatalog, getCatalogProduct]
