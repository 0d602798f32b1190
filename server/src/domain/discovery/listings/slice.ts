import { defineSlice } from '../../../platform/slices/slice.ts'
import { followItems } from './follow-items.ts'
import { listingInvariants } from './invariants.ts'
import { listingOperations } from './operations.ts'
import { ProductPages } from './product-pages.ts'
import { scopes } from './scopes.ts'

export const listings = defineSlice({
  name: 'discovery/listings',
  about: 'Finds what merchants have published and what other catalogs have, by words and filters.',
  needs: ['discovery/attributions', 'discovery/sources', 'selling/catalog', 'selling/merchant'],
  scopes,
  tags: { Catalog: 'What can be bought, of all merchants.' },
  operations: (_events, ports) => listingOperations(ports.get(ProductPages)),
  followers: [followItems],
  invariants: listingInvariants,
})
