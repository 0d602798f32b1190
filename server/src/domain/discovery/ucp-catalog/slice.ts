import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { ucpGetProduct } from './get-product.ts'
import { ucpLookupCatalog } from './lookup-catalog.ts'
import { ucpSearchCatalog } from './search-catalog.ts'

/** What is refused here, beyond what every operation may refuse. */
const problems = defineProblems({
  request_too_large: {
    status: 400,
    retryable: false,
    message: 'The request names too much at once. Send several requests.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}

export const ucpCatalog = defineSlice({
  name: 'discovery/ucp-catalog',
  about: "Shows a merchant's products to platforms that speak UCP.",
  needs: ['discovery/listings'],
  problems,
  tags: { 'UCP catalog': 'The products of one merchant, over UCP.' },
  operations: [ucpSearchCatalog, ucpLookupCatalog, ucpGetProduct],
})
