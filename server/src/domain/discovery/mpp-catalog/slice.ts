import { defineSlice } from '../../../platform/slices/slice.ts'
import { mppGetProduct } from './get-product.ts'
import { mppSearchCatalog } from './search-catalog.ts'

export const mppCatalog = defineSlice({
  name: 'discovery/mpp-catalog',
  about: "Shows a merchant's products to payers over MPP.",
  needs: ['discovery/listings'],
  tags: { 'MPP catalog': 'The products of one merchant, over MPP.' },
  operations: [mppSearchCatalog, mppGetProduct],
})
