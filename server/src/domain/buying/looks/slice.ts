import { defineIds } from '../../../contract/ids.ts'
import { bind } from '../../../contract/port.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { ProductPages } from '../../discovery/listings/public.ts'
import { sweepLooks } from './looks.sql.ts'
import { ShopLookers } from './port.ts'
import { productPages } from './product-pages.ts'
import { createLookWork } from './work.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  look: { names: 'a look at a shop' },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

export const looks = defineSlice({
  name: 'buying/looks',
  about:
    'Looks at shops elsewhere before anything is bought there, and keeps for some minutes what was seen.',
  needs: ['discovery/listings', 'discovery/registry', 'discovery/sources', 'selling/merchant'],
  tables: ['looks'],
  ids,
  work: ({ ports }) => [createLookWork(ports.get(ShopLookers))],
  queues: [{ kind: 'looks', table: 'looks' }],
  sweeps: [sweepLooks],
  binds: [bind(ProductPages, productPages)],
})
