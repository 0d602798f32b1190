import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { sweepResults } from './cart-results.sql.ts'
import { getCartResult } from './get-cart-result.ts'

/** What the operations of this slice refuse with, besides what any operation can answer. */
const problems = defineProblems({
  cart_result_gone: {
    status: 410,
    retryable: false,
    message: 'The result was kept for its time, and is deleted. The purchase itself still stands.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}

export const cartResults = defineSlice({
  name: 'buying/cart-results',
  about: 'Keeps what merchants answer to paid requests, for as long as buyers can read it.',
  needs: [],
  tables: ['cart_results'],
  problems,
  operations: [getCartResult],
  sweeps: [sweepResults],
})
