import { defineSlice } from '../../../platform/slices/slice.ts'
import { itemEvents } from './events.ts'
import { ids } from './ids.ts'
import { merchantCatalogOperations } from './operations.ts'
import { problems } from './problems.ts'

export const catalog = defineSlice({
  name: 'selling/catalog',
  about: "Keeps a merchant's items and variants, with prices and stock.",
  needs: ['selling/merchant'],
  ids,
  problems,
  tags: {
    'Merchant catalog': 'What the merchant sells, one by one or from files.',
  },
  events: itemEvents,
  operations: merchantCatalogOperations,
})
