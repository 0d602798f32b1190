import Type, { type Static } from 'typebox'
import type { Mode } from '../../contract/context.ts'
import { Ruled } from '../../contract/rules.ts'
import {
  Amount,
  Closed,
  CurrencyCode,
  IdOf,
  IdParam,
  Metadata,
  Named,
  Nullable,
  OneOf,
  objectHead,
  Text,
  Timestamp,
} from '../../contract/schemas.ts'
import type { Id } from '../../core/id.ts'
import { RequiredInput, RequiredInputWrite, requiredInputsMax } from './required-inputs.ts'

export const itemTypes = ['product', 'digital', 'service', 'booking'] as const
export const itemStatuses = ['draft', 'published', 'archived'] as const
export const availabilities = ['in_stock', 'backorder', 'preorder', 'out_of_stock', 'discontinued'] as const

export const MerchantCatalogItemType = Named('MerchantCatalogItemType', OneOf(itemTypes))
export const MerchantCatalogItemStatus = Named('MerchantCatalogItemStatus', OneOf(itemStatuses))
const Availability = OneOf(availabilities)

// Barcodes and SKUs may look like anything.
const Code = Type.String({ minLength: 1, maxLength: 100 })

export const MediaWrite = Closed({
  url: Type.String({ format: 'https-url' }),
  type: Type.Optional(OneOf(['image', 'video'])),
  alt_text: Type.Optional(Nullable(Type.String({ maxLength: 500, noCardNumber: true }))),
})

const ItemOption = Closed({
  name: Text(100),
  values: Type.Array(Text(100), { minItems: 1, maxItems: 100 }),
})

const VariantOption = Closed({ name: Text(100), value: Text(100) })

const variantFields = {
  sku: Nullable(Code),
  barcode: Nullable(Code),
  title: Nullable(Text(255)),
  price: Nullable(Amount('Of one unit before tax and fulfilment, in minor units.')),
  currency: Nullable(CurrencyCode),
  availability: Availability,
  quantity: Nullable(
    Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Stock; null is not counted.' }),
  ),
  options: Type.Array(VariantOption, { maxItems: 10 }),
  weight_grams: Nullable(
    Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Of one unit, for rates by weight.' }),
  ),
  fulfillment_label: Nullable(Text(64, { description: 'For rate cards that tell labels apart.' })),
}

export const VariantWrite = Closed({
  id: Type.Optional(IdParam('A variant that the item has. Without it, a new one.')),
  ...Type.Partial(Closed(variantFields)).properties,
})
export type VariantWrite = Static<typeof VariantWrite>

export const Variant = Named('MerchantCatalogVariant', Closed({ id: IdOf('var'), ...variantFields }))
export type Variant = Static<typeof Variant>

export const variantsMax = 100

/** What an item must keep to beyond its schema. */
export const itemRules = {
  url: "the URL must be on the merchant's domain",
  currency: 'a price needs a currency, here or in the merchant record',
  repeated: 'another variant of the item has this {field}',
}

/** The fields of an item that a caller writes. */
export const ItemFields = {
  handle: Nullable(
    Type.String({
      pattern: '^[a-z0-9](?:[a-z0-9-]{0,253}[a-z0-9])?$',
      description: 'Unique among the items that are not archived.',
    }),
  ),
  title: Nullable(Text(255)),
  description: Nullable(Type.String({ maxLength: 20_000, noCardNumber: true })),
  url: Nullable(
    Ruled(
      Type.String({
        format: 'https-url',
        description:
          "Where the item is sold, on the merchant's domain. Purchases of exactly this URL come to the merchant.",
      }),
      { url: itemRules.url },
    ),
  ),
  item_type: MerchantCatalogItemType,
  categories: Type.Array(Text(255), { maxItems: 50 }),
  media: Type.Array(MediaWrite, { maxItems: 50 }),
  options: Type.Array(ItemOption, { maxItems: 10 }),
  variants: Ruled(
    Type.Array(VariantWrite, {
      maxItems: variantsMax,
      description: 'The whole list: variants that are not named by their id are removed.',
    }),
    { currency: itemRules.currency, repeated: itemRules.repeated },
  ),
  required_inputs: Type.Array(RequiredInputWrite, {
    maxItems: requiredInputsMax,
    description: 'What a buyer must say before the item can be priced.',
  }),
  metadata: Metadata,
}

export const MerchantCatalogItem = Named(
  'MerchantCatalogItem',
  Closed({
    ...objectHead('cat', 'catalog_item'),
    status: MerchantCatalogItemStatus,
    handle: Nullable(Type.String()),
    title: Nullable(Type.String()),
    description: Nullable(Type.String()),
    url: Nullable(Type.String()),
    item_type: MerchantCatalogItemType,
    categories: Type.Array(Type.String()),
    media: Type.Array(
      Closed({ url: Type.String(), type: OneOf(['image', 'video']), alt_text: Nullable(Type.String()) }),
    ),
    options: Type.Array(ItemOption),
    variants: Type.Array(Variant),
    required_inputs: Type.Array(RequiredInput),
    metadata: Metadata,
    published_at: Nullable(Timestamp),
    archived_at: Nullable(Timestamp),
  }),
)
export type MerchantCatalogItem = Static<typeof MerchantCatalogItem>

export type ItemRow = {
  account_id: Id<'acct'>
  mode: Mode
  id: Id<'cat'>
  handle: string | null
  title: string | null
  description: string | null
  url: string | null
  url_key: string | null
  item_type: MerchantCatalogItem['item_type']
  categories: string[]
  media: MerchantCatalogItem['media']
  options: MerchantCatalogItem['options']
  variants: Variant[]
  required_inputs: RequiredInput[]
  status: MerchantCatalogItem['status']
  metadata: Record<string, string>
  seq: number
  created_at: Date
  updated_at: Date
  published_at: Date | null
  archived_at: Date | null
}

/** Variants that were written before they could have a weight and a label. */
const unlabelled = { weight_grams: null, fulfillment_label: null }

export function renderItem(row: ItemRow): MerchantCatalogItem {
  return {
    id: row.id,
    object: 'catalog_item',
    mode: row.mode,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    status: row.status,
    handle: row.handle,
    title: row.title,
    description: row.description,
    url: row.url,
    item_type: row.item_type,
    categories: row.categories,
    media: row.media,
    options: row.options,
    variants: row.variants.map((variant) => ({ ...unlabelled, ...variant })),
    required_inputs: row.required_inputs,
    metadata: row.metadata,
    published_at: row.published_at?.toISOString() ?? null,
    archived_at: row.archived_at?.toISOString() ?? null,
  }
}
