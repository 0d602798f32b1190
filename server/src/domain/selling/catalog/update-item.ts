import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdParam } from '../../../contract/schemas.ts'
import { readMerchant } from '../merchant/public.ts'
import { ItemUpdate } from './add-item.ts'
import { MerchantCatalogItem } from './item.ts'
import { mediaOf } from './media.ts'
import { offerFault } from './publishable.ts'
import { requiredInputsOf } from './required-inputs.ts'
import { writtenVariants } from './variants.ts'
import { changeItem, placedUrl } from './write-item.ts'

export const updateMerchantCatalogItem = defineOperation({
  id: 'v1_update_merchant_catalog_item',
  method: 'POST',
  path: '/v1/merchant/catalog_items/{item_id}',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Merchant catalog',
  summary: 'Update a catalog item',
  description:
    'Fields you leave out stay as they are; lists and `metadata` are replaced as a whole. A published item must keep what ' +
    'publishing needs.',
  params: Closed({ item_id: IdParam('The item.', 'cat') }),
  body: ItemUpdate,
  examples: { title: { summary: 'Change the title', body: { title: 'Blue mug, hand made' } } },
  responses: { 200: MerchantCatalogItem },
  problems: ['not_found', 'item_archived', 'item_not_publishable', 'handle_in_use'],
  conflicts: { catalog_items_handle: 'handle_in_use', catalog_items_url: 'handle_in_use' },
  async handle(ctx, { path, body }) {
    const item = await changeItem(ctx, path.item_id, 'catalog_item.updated', async (row) => {
      if (row.status === 'archived') throw new Problem('item_archived')
      const { url, media, variants, required_inputs: inputs, ...fields } = body
      const needsMerchant = url || variants
      const merchant = needsMerchant ? await readMerchant(ctx.tx, ctx.tenant) : null
      const facts = { currency: merchant?.currency ?? null, newId: ctx.newId }
      const changes = {
        ...fields,
        ...(url === undefined ? {} : placedUrl(url, merchant)),
        ...(inputs === undefined ? {} : { required_inputs: requiredInputsOf(inputs) }),
        ...(media === undefined ? {} : { media: mediaOf(media) }),
        ...(variants === undefined ? {} : { variants: writtenVariants(variants, row.variants, facts) }),
      }
      const lacking = row.status === 'published' ? offerFault({ ...row, ...changes }) : null
      if (lacking !== null) throw new Problem('item_not_publishable', { message: lacking })
      return changes
    })
    return reply(200, item)
  },
})
