import { defineSlice } from '../../../platform/slices/slice.ts'
import { itemEvents } from './events.ts'
import { merchantCatalogOperations } from './operations.ts'

export const catalog = defineSlice({
  name: 'selling/catalog',
  needs: ['selling/merchant'],
  events: itemEvents,
  operations: merchantCatalogOperations,
})
