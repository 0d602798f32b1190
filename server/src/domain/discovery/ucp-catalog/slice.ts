import { defineSlice } from '../../../platform/slices/slice.ts'
import { ucpCatalogOperations } from './operations.ts'
import { problems } from './problems.ts'

export const ucpCatalog = defineSlice({
  name: 'discovery/ucp-catalog',
  about: "Shows a merchant's products to platforms that speak UCP.",
  needs: ['discovery/listings'],
  problems,
  tags: { 'UCP catalog': 'The products of one merchant, over UCP.' },
  operations: ucpCatalogOperations,
})
