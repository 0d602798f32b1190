import type { ActingContext } from '../../../contract/context.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdParam } from '../../../contract/schemas.ts'
import { readMerchant } from '../merchant/public.ts'
import { MerchantCatalogItem } from './item.ts'
import { offerFault, publishFault } from './publishable.ts'
import { changeItem } from './write-item.ts'

export const publishMerchantCatalogItem = defineOperation({
  id: 'v1_publish_merchant_catalog_item',
  method: 'POST',
  path: '/v1/merchant/catalog_items/{item_id}/publish',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Merchant catalog',
  summary: 'Publish a catalog item',
  description:
    'From then on it can be bought. It needs a title and a variant with a price; its URL, if it has one, must be on the ' +
    "merchant's domain. If the item has options, each variant chooses among their values, and no two variants choose the " +
    'same. Publishing it again changes nothing.',
  params: Closed({ item_id: IdParam('The item.', 'cat') }),
  responses: { 200: MerchantCatalogItem },
  problems: ['not_found', 'item_archived', 'item_not_publishable'],
  async handle(ctx, { path }) {
    return reply(200, await publishItem(ctx, path.item_id))
  },
})

/** Publishes an item of `ctx.tenant`; throws the refusal where something is missing. */
function publishItem(ctx: ActingContext, itemId: string): Promise<MerchantCatalogItem> {
  return changeItem(ctx, itemId, 'catalog_item.published', async (row) => {
    if (row.status === 'archived') throw new Problem('item_archived')
    if (row.status === 'published') return {}
    const lacking = offerFault(row)
    if (lacking !== null) throw new Problem('item_not_publishable', { message: lacking })
    const merchant = await readMerchant(ctx.tx, ctx.tenant)
    const misplaced = publishFault(row, merchant)
    if (misplaced !== null) throw new Problem('item_not_publishable', { message: misplaced, param: 'url' })
    return { status: 'published', published_at: ctx.now }
  })
}
