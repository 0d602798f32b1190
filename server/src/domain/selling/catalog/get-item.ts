import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdParam } from '../../../contract/schemas.ts'
import { MerchantCatalogItem, renderItem } from './item.ts'
import { selectItem } from './items.sql.ts'

export const getMerchantCatalogItem = defineOperation({
  id: 'v1_get_merchant_catalog_item',
  method: 'GET',
  path: '/v1/merchant/catalog_items/{item_id}',
  auth: 'secret',
  scope: 'merchant:read',
  tag: 'Merchant catalog',
  summary: 'Read a catalog item',
  description: 'Shows its variants with their prices and stock.',
  params: Closed({ item_id: IdParam('The item.', 'cat') }),
  responses: { 200: MerchantCatalogItem },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    const { accountId, mode } = ctx.tenant
    const row = await ctx.reads.maybe(selectItem({ account_id: accountId, mode, id: path.item_id }))
    if (!row) throw new Problem('not_found', { param: 'item_id' })
    return reply(200, renderItem(row))
  },
})
