import { defineSlice } from '../../../platform/slices/slice.ts'
import { getCartResult } from './get-cart-result.ts'
import { problems } from './problems.ts'
import { sweepResults } from './sweep-results.ts'

export const cartResults = defineSlice({
  name: 'buying/cart-results',
  about: 'Keeps what merchants answer to paid requests, for as long as buyers can read it.',
  needs: [],
  tables: ['cart_results'],
  problems,
  operations: [getCartResult],
  sweeps: [sweepResults],
})
