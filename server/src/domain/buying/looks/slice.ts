import { bind } from '../../../contract/port.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { ProductPages } from '../../discovery/listings/public.ts'
import { ids } from './ids.ts'
import { ShopLookers } from './port.ts'
import { productPages } from './product-pages.ts'
import { sweepLooks } from './sweep-looks.ts'
import { createLookWork } from './work.ts'

export const looks = defineSlice({
  name: 'buying/looks',
  about:
    'Looks at shops elsewhere before anything is bought there, and keeps for some minutes what was seen.',
  needs: ['discovery/listings', 'discovery/registry', 'discovery/sources', 'selling/merchant'],
  ids,
  work: ({ ports }) => [createLookWork(ports.get(ShopLookers))],
  queues: [{ kind: 'looks', table: 'looks' }],
  sweeps: [sweepLooks],
  binds: [bind(ProductPages, productPages)],
})
