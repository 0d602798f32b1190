import Type, { type Static } from 'typebox'
import type { Mode } from '../../../contract/context.ts'
import {
  Amount,
  At,
  Closed,
  CurrencyCode,
  Described,
  IdOf,
  IdParam,
  Metadata,
  Named,
  Nullable,
  OneOf,
  objectHead,
  Text,
} from '../../../contract/schemas.ts'
import type { Id } from '../../../core/id.ts'
import { Ruled } from '../../../schema/rules.ts'
import { RequiredInput, RequiredInputWrite, requiredInputsMax } from './required-inputs.ts'

export const itemTypes = ['product', 'digital', 'service', 'booking', 'subscription', 'api'] as const
const itemStatuses = ['draft', 'published', 'archived'] as const
const availabilities = ['in_stock', 'backorder', 'preorder', 'out_of_stock', 'discontinued'] as const

export const AgenticCatalogItemType = Named(
  'AgenticCatalogItemType',
  OneOf(itemTypes, {
    description:
      'A product that is shipped, something digital, a service, a booking, a subscription, or an API. A subscription can only be quoted.',
  }),
)
export const MerchantCatalogItemStatus = Named(
  'MerchantCatalogItemStatus',
  OneOf(itemStatuses, { description: 'Only a published item can be bought.' }),
)
const Availability = OneOf(availabilities)

// Barcodes and SKUs may look like anything.
const Code = Type.String({ minLength: 1, maxLength: 100 })

export const MediaWrite = Closed({
  url: Type.String({ format: 'https-url', description: 'An https URL of the image or video.' }),
  type: Type.Optional(OneOf(['image', 'video'], { description: 'What it is. Default: `image`.' })),
  alt_text: Type.Optional(
    Nullable(Type.String({ maxLength: 500, noCardNumber: true, description: 'What it shows, in words.' })),
  ),
})

const ItemOption = Closed({
  name: Text(100, { description: 'The name of the option, such as Size.' }),
  values: Type.Array(Text(100), {
    minItems: 1,
    maxItems: 100,
    description: 'What can be chosen, such as S, M and L.',
  }),
})

const VariantOption = Closed({
  name: Text(100, { description: 'The name of the option.' }),
  value: Text(100, { description: 'What was chosen.' }),
})

const variantFields = {
  sku: Nullable(Described(Code, 'Your SKU.')),
  barcode: Nullable(Described(Code, 'Its barcode, such as a GTIN.')),
  title: Nullable(Text(255, { description: 'What it is called, such as "Large, red".' })),
  price: Nullable(
    Amount('What one unit costs, before tax and fulfillment, in minor units (1999 is $19.99).'),
  ),
  currency: Nullable(Described(CurrencyCode, 'ISO 4217 code of the price, such as USD.')),
  availability: Described(Availability, 'Whether it can be bought now.'),
  quantity: Nullable(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'How many units are in stock; null if they are not counted.',
    }),
  ),
  options: Type.Array(VariantOption, {
    maxItems: 10,
    description: 'Its choice for each option of the item.',
  }),
  weight_grams: Nullable(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'What one unit weighs, in grams, for rates by weight.',
    }),
  ),
  fulfillment_label: Nullable(
    Text(64, { description: 'A label that rate cards can tell items apart by, such as "bulky".' }),
  ),
}

export const VariantWrite = Closed({
  id: Type.Optional(IdParam('A variant the item has already. Without it, a new one.', 'var')),
  ...Type.Partial(Closed(variantFields)).properties,
})
export type VariantWrite = Static<typeof VariantWrite>

export const Variant = Named(
  'MerchantCatalogVariant',
  Closed(
    { id: IdOf('var', 'The id of the variant.'), ...variantFields },
    { description: 'A variant of a catalog item, with its own price and stock.' },
  ),
)
export type Variant = Static<typeof Variant>

const variantsMax = 100

/** The rules for an item beyond its schema. */
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
      description: 'A short name in lower case, unique among items that are not archived.',
    }),
  ),
  title: Nullable(Text(255, { description: 'What it is called.' })),
  description: Nullable(
    Type.String({ maxLength: 20_000, noCardNumber: true, description: 'What it is, in words.' }),
  ),
  url: Nullable(
    Ruled(
      Type.String({
        format: 'https-url',
        description:
          "Where the item is sold, on the merchant's domain. A purchase of this URL is a purchase of this item.",
      }),
      { url: itemRules.url },
    ),
  ),
  item_type: Described(AgenticCatalogItemType, 'What kind of item it is.'),
  categories: Type.Array(Text(255), { maxItems: 50, description: 'The categories it is in.' }),
  media: Type.Array(MediaWrite, { maxItems: 50, description: 'Images and videos.' }),
  options: Type.Array(ItemOption, { maxItems: 10, description: 'What buyers can choose.' }),
  variants: Ruled(
    Type.Array(VariantWrite, {
      maxItems: variantsMax,
      description: 'All variants; those you leave out are removed.',
    }),
    { currency: itemRules.currency, repeated: itemRules.repeated },
  ),
  required_inputs: Type.Array(RequiredInputWrite, {
    maxItems: requiredInputsMax,
    description: 'What a buyer must tell before the item can be priced.',
  }),
  metadata: Metadata,
}

export const MerchantCatalogItem = Named(
  'MerchantCatalogItem',
  Closed(
    {
      ...objectHead('cat', 'catalog_item'),
      status: Described(MerchantCatalogItemStatus, 'Only a published item can be bought.'),
      handle: Nullable(
        Type.String({ description: 'A short name, unique among items that are not archived.' }),
      ),
      title: Nullable(Type.String({ description: 'What it is called.' })),
      description: Nullable(Type.String({ description: 'What it is, in words.' })),
      url: Nullable(Type.String({ description: "Where it is sold, on the merchant's domain." })),
      item_type: Described(AgenticCatalogItemType, 'What kind of item it is.'),
      categories: Type.Array(Type.String(), { description: 'The categories it is in.' }),
      media: Type.Array(
        Closed({
          url: Type.String({ description: 'The URL of the image or video.' }),
          type: OneOf(['image', 'video'], { description: 'What it is.' }),
          alt_text: Nullable(Type.String({ description: 'What it shows, in words.' })),
        }),
        { description: 'Images and videos.' },
      ),
      options: Type.Array(ItemOption, { description: 'What buyers can choose.' }),
      variants: Type.Array(Variant, { description: 'All variants.' }),
      required_inputs: Type.Array(RequiredInput, {
        description: 'What a buyer must tell before the item can be priced.',
      }),
      metadata: Metadata,
      published_at: Nullable(At('When it was published; null if it was not.')),
      archived_at: Nullable(At('When it was archived; null if it was not.')),
    },
    { description: 'Something that the merchant sells.' },
  ),
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

/** An item as other slices are given it. */
export type Item = Omit<ItemRow, 'url_key' | 'seq'>

/** For variants that were written before they could have a weight and a label. */
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
