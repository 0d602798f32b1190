import { defineSlice } from '../../../platform/slices/slice.ts'
import { sweepAttributions } from './attributions.sql.ts'
import { confirmCatalogImpressions } from './confirm-impressions.ts'

export const attributions = defineSlice({
  name: 'discovery/attributions',
  about: 'Remembers what searches have shown, and counts what people have seen of it.',
  needs: ['selling/catalog'],
  tables: ['attributions', 'attributed_orders', 'impressions'],
  operations: [confirmCatalogImpressions],
  sweeps: [sweepAttributions],
})
