import { defineSlice } from '../../../platform/slices/slice.ts'

export const channels = defineSlice({
  name: 'buying/channels',
  about: 'Says what a way of buying at merchants elsewhere is asked, and what it may answer.',
  needs: [
    'buying/cart-results',
    'buying/evidence',
    'buying/intents',
    'buying/rails',
    'buying/stranger-orders',
  ],
})
