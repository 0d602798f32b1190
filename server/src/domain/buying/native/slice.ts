import { defineSlice } from '../../../platform/slices/slice.ts'

export const native = defineSlice({
  name: 'buying/native',
  about: 'Buys from merchants with an account here: their catalog is the offer, and the order is a row.',
  needs: [
    'buying/channels',
    'buying/intents',
    'buying/rails',
    'selling/catalog',
    'selling/merchant',
    'selling/payouts',
    'selling/pricing',
    'selling/promotions',
    'trade/orders',
    'trade/quotes',
  ],
})
