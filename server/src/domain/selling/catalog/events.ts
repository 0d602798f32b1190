import { defineEvent, type TypesOf } from '../../../contract/event.ts'
import type { MerchantCatalogItem } from './item.ts'

const itemEvent = defineEvent<MerchantCatalogItem>()

/** What can happen to a catalog item. */
export const itemEvents = {
  'catalog_item.created': itemEvent({ summary: 'A catalog item was created.' }),
  'catalog_item.updated': itemEvent({ summary: 'A catalog item changed.' }),
  'catalog_item.published': itemEvent({ summary: 'A catalog item was published.' }),
  'catalog_item.archived': itemEvent({ summary: 'A catalog item was archived.' }),
  'catalog_item.stock_changed': itemEvent({
    summary: 'An order took stock of a catalog item or brought it back.',
  }),
}

export type ItemEventType = keyof typeof itemEvents

declare module '../../../contract/event.ts' {
  interface Events extends TypesOf<typeof itemEvents> {}
}
