import { defineIds } from '../../../contract/ids.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { archiveMerchantCatalogItem } from './archive-item.ts'
import { createMerchantCatalogItem } from './create-item.ts'
import { itemEvents } from './events.ts'
import { getMerchantCatalogItem, listMerchantCatalogItems } from './get-items.ts'
import { problems } from './problems.ts'
import { publishMerchantCatalogItem } from './publish-item.ts'
import { updateMerchantCatalogItem } from './update-item.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  cat: { names: 'a catalog item', isOpen: true },
  var: { names: 'a variant of a catalog item', isOpen: true },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

export const catalog = defineSlice({
  name: 'selling/catalog',
  about: "Keeps a merchant's items and variants, with prices and stock.",
  needs: ['selling/merchant'],
  tables: ['catalog_items'],
  ids,
  problems,
  tags: {
    'Merchant catalog': 'What the merchant sells, one by one or from files.',
  },
  events: itemEvents,
  operations: [
    createMerchantCatalogItem,
    listMerchantCatalogItems,
    getMerchantCatalogItem,
    updateMerchantCatalogItem,
    publishMerchantCatalogItem,
    archiveMerchantCatalogItem,
  ],
})
