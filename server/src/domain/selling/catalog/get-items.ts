import Type from 'typebox'
import { getOperation, listOperation } from '../../../contract/read-operations.ts'
import { Filter, IdParam, Search } from '../../../contract/schemas.ts'
import { AgenticCatalogItemType, MerchantCatalogItem, MerchantCatalogItemStatus, renderItem } from './item.ts'
import { countItems, selectItem, selectItems } from './items.sql.ts'

export const getMerchantCatalogItem = getOperation({
  id: 'v1_get_merchant_catalog_item',
  path: '/v1/merchant/catalog_items/{item_id}',
  scope: 'merchant:read',
  tag: 'Merchant catalog',
  summary: 'Read a catalog item',
  description: 'Shows its variants with their prices and stock.',
  params: { item_id: IdParam('The item.', 'cat') },
  shows: MerchantCatalogItem,
  row: selectItem,
  render: renderItem,
})

export const listMerchantCatalogItems = listOperation({
  id: 'v1_list_merchant_catalog_items',
  path: '/v1/merchant/catalog_items',
  scope: 'merchant:read',
  tag: 'Merchant catalog',
  summary: 'List catalog items, newest first',
  description:
    'Shows drafts, published and archived items; narrow the list with `status`, `item_type` or `q`.',
  filters: {
    status: Filter(MerchantCatalogItemStatus, 'Only items in this status.'),
    item_type: Filter(AgenticCatalogItemType, 'Only items of this kind.'),
    q: Type.Optional(Search),
  },
  lists: [MerchantCatalogItem, 'MerchantCatalogItemList'],
  rows: selectItems,
  count: countItems,
  render: renderItem,
})
