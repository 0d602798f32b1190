import { defineSlice } from '../../../platform/slices/slice.ts'
import { itemEvents } from './events.ts'
import { ids } from './ids.ts'
import { merchantCatalogOperations } from './operations.ts'

export const catalog = defineSlice({
  name: 'selling/catalog',
  needs: ['selling/merchant'],
  ids,
  tags: {
    'Merchant catalog': 'What the merchant sells, one by one or from files.',
  },
  events: itemEvents,
  operations: merchantCatalogOperations,
})
