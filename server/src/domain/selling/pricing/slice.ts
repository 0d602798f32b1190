import { defineSlice } from '../../../platform/slices/slice.ts'

/** The price of a cart of a merchant of ours: decided here, for all callers. */
export const pricing = defineSlice({
  name: 'selling/pricing',
  about: 'Computes what a native cart costs, for previews, offers, quotes and orders.',
  needs: [
    'selling/catalog',
    'selling/markets',
    'selling/merchant',
    'selling/promotions',
    'selling/rate-cards',
  ],
})
