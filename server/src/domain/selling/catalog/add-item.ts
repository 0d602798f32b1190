import type { Static } from 'typebox'
import Type from 'typebox'
import type { ActingContext } from '../../../contract/context.ts'
import { Changes, Closed } from '../../../contract/schemas.ts'
import { readMerchant } from '../merchant/public.ts'
import { ItemFields, type ItemRow, type MerchantCatalogItem } from './item.ts'
import { mediaOf } from './media.ts'
import { requiredInputsOf } from './required-inputs.ts'
import { writtenVariants } from './variants.ts'
import { addRow, placedUrl } from './write-item.ts'

export const ItemCreate = Type.Partial(Closed(ItemFields), { additionalProperties: false })
export const ItemUpdate = Changes(ItemFields)
export type ItemCreate = Static<typeof ItemCreate>

/** Adds a draft to the catalog of `ctx.tenant`. */
export async function addItem(ctx: ActingContext, input: ItemCreate): Promise<MerchantCatalogItem> {
  const { accountId, mode } = ctx.tenant
  // A draft that needs nothing from the merchant record is one insert.
  const needsMerchant = (input.url ?? null) !== null || (input.variants ?? []).length > 0
  const merchant = needsMerchant ? await readMerchant(ctx.tx, ctx.tenant) : null
  const row: ItemRow = {
    account_id: accountId,
    mode,
    id: ctx.newId('cat'),
    handle: input.handle ?? null,
    title: input.title ?? null,
    description: input.description ?? null,
    ...placedUrl(input.url ?? null, merchant),
    item_type: input.item_type ?? 'product',
    categories: input.categories ?? [],
    media: mediaOf(input.media ?? []),
    options: input.options ?? [],
    variants: writtenVariants(input.variants ?? [], [], {
      currency: merchant?.currency ?? null,
      newId: ctx.newId,
    }),
    status: 'draft',
    metadata: input.metadata ?? {},
    required_inputs: requiredInputsOf(input.required_inputs ?? []),
    seq: 1,
    created_at: ctx.now,
    updated_at: ctx.now,
    published_at: null,
    archived_at: null,
  }
  return addRow(ctx, row, 'catalog_item.created')
}
