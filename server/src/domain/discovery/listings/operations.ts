import { getCatalogProduct } from './get-catalog-product.ts'
import { lookupCatalog } from './lookup-catalog.ts'
import type { ProductPages } from './product-pages.ts'
import { searchCatalog } from './search-catalog.ts'

export function listingOperations(pages: ProductPages) {
  return [searchCatalog, lookupCatalog, getCatalogProduct(pages)]
}
