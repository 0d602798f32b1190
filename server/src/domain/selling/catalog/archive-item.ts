import { defineOperation, reply } from '../../../contract/operation.ts'
import { Closed, IdParam } from '../../../contract/schemas.ts'
import { MerchantCatalogItem } from './item.ts'
import { changeItem } from './write-item.ts'

export const archiveMerchantCatalogItem = defineOperation({
  id: 'v1_archive_merchant_catalog_item',
  method: 'POST',
  path: '/v1/merchant/catalog_items/{item_id}/archive',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Merchant catalog',
  summary: 'Archive a catalog item',
  description:
    'It can no longer be bought, and another item can take its handle and URL. Archiving it again changes nothing.',
  destructive: true,
  params: Closed({ item_id: IdParam('The item.', 'cat') }),
  responses: { 200: MerchantCatalogItem },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    const item = await changeItem(ctx, path.item_id, 'catalog_item.archived', (row) =>
      row.status === 'archived' ? {} : { status: 'archived', archived_at: ctx.now },
    )
    return reply(200, item)
  },
})
