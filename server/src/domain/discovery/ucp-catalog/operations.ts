import { ucpGetProduct } from './get-product.ts'
import { ucpLookupCatalog } from './lookup-catalog.ts'
import { ucpSearchCatalog } from './search-catalog.ts'

export const ucpCatalogOperations = [ucpSearchCatalog, ucpLookupCatalog, ucpGetProduct]
