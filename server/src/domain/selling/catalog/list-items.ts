import Type from 'typebox'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { containsPattern, pageOf, readList, totalCap } from '../../../contract/page.ts'
import { Closed, Filter, ListOf, Page, Search } from '../../../contract/schemas.ts'
import { AgenticCatalogItemType, MerchantCatalogItem, MerchantCatalogItemStatus, renderItem } from './item.ts'
import { countItems, selectItems } from './items.sql.ts'

const limitDefault = 50

export const listMerchantCatalogItems = defineOperation({
  id: 'v1_list_merchant_catalog_items',
  method: 'GET',
  path: '/v1/merchant/catalog_items',
  auth: 'secret',
  scope: 'merchant:read',
  tag: 'Merchant catalog',
  summary: 'List catalog items, newest first',
  description:
    'Shows drafts, published and archived items; narrow the list with `status`, `item_type` or `q`.',
  query: Closed({
    status: Filter(MerchantCatalogItemStatus, 'Only items in this status.'),
    item_type: Filter(AgenticCatalogItemType, 'Only items of this kind.'),
    q: Type.Optional(Search),
    ...Page(limitDefault, 200),
  }),
  responses: { 200: ListOf(MerchantCatalogItem, 'MerchantCatalogItemList') },
  async handle(ctx, { query }) {
    const page = pageOf(query, limitDefault)
    const filter = {
      account_id: ctx.tenant.accountId,
      mode: ctx.tenant.mode,
      status: query.status ?? null,
      item_type: query.item_type ?? null,
      q: containsPattern(query.q),
    }
    const list = await readList(ctx.reads, {
      page,
      rows: selectItems({ ...filter, ...page }),
      count: countItems({ ...filter, cap: totalCap }),
      render: renderItem,
    })
    return reply(200, list)
  },
})
