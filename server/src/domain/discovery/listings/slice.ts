import { defineScopes, type ScopeFacts } from '../../../contract/scopes.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { followItems } from './follow-items.ts'
import { listingInvariants } from './invariants.sql.ts'
import { listingOperations } from './operations.ts'
import { ProductPages } from './product-pages.ts'

/** What keys may be allowed here. */
const scopes = defineScopes({
  'catalog:read': {
    presets: ['merchant_backend', 'discovery', 'buyer_agent'],
    toolsets: ['buyer', 'discovery'],
  },
})

declare module '../../../contract/scopes.ts' {
  interface Scopes extends Record<keyof typeof scopes, ScopeFacts> {}
}

export const listings = defineSlice({
  name: 'discovery/listings',
  about: 'Finds what merchants have published and what other catalogs have, by words and filters.',
  needs: ['discovery/attributions', 'discovery/sources', 'selling/catalog', 'selling/merchant'],
  tables: ['listings', 'listing_words'],
  scopes,
  tags: { Catalog: 'What can be bought, of all merchants.' },
  operations: (_events, ports) => listingOperations(ports.get(ProductPages)),
  followers: [followItems],
  invariants: listingInvariants,
})
