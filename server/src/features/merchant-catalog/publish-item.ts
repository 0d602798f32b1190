import type { ActingContext } from '../../contract/context.ts'
import { defineOperation, reply } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { Closed, IdParam } from '../../contract/schemas.ts'
import { selectMerchantRow } from '../merchant/public.ts'
import { type ItemRow, MerchantCatalogItem } from './item.ts'
import { changeItem, isPlacedWithin } from './write-item.ts'

export const publishMerchantCatalogItem = defineOperation({
  id: 'v1_publish_merchant_catalog_item',
  method: 'POST',
  path: '/v1/merchant/catalog_items/{item_id}/publish',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Merchant catalog',
  summary: 'Publish an item',
  description:
    "Needs a title and a variant with a price, and a URL, if any, on the merchant's domain. From then on it can be bought. " +
    'Publishing twice changes nothing.',
  params: Closed({ item_id: IdParam('The item.') }),
  responses: { 200: MerchantCatalogItem },
  problems: ['not_found', 'item_archived', 'item_not_publishable'],
  async handle(ctx, { path }) {
    return reply(200, await publishItem(ctx, path.item_id))
  },
})

/** Publishes an item of `ctx.tenant`; throws the refusal where something is missing. */
export function publishItem(ctx: ActingContext, itemId: string): Promise<MerchantCatalogItem> {
  return changeItem(ctx, itemId, 'catalog_item.published', async (row) => {
    if (row.status === 'archived') throw new Problem('item_archived')
    if (row.status === 'published') return {}
    if (!isPublishable(row)) {
      throw new Problem('item_not_publishable', {
        message: 'The item needs a title and a variant with a price.',
      })
    }
    const merchant = await ctx.tx.maybe(selectMerchantRow({ account_id: row.account_id, mode: row.mode }))
    if (row.url && !isPlacedWithin(row.url, merchant)) {
      throw new Problem('item_not_publishable', {
        message: "The item's URL is not on the merchant's domain.",
        param: 'url',
      })
    }
    return { status: 'published', published_at: ctx.now }
  })
}

/** What a buyer has to be shown: a name, and a price of at least one variant. */
export function isPublishable(row: Pick<ItemRow, 'title' | 'variants'>): boolean {
  return row.title !== null && row.variants.some(({ price }) => price !== null)
}
