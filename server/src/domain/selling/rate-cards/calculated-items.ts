import Type, { type Static } from 'typebox'
import type { CallContext } from '../../../contract/context.ts'
import { invalid, Problem } from '../../../contract/problem.ts'
import { Amount, Closed, IdParam, Nullable, Text } from '../../../contract/schemas.ts'
import { filled, Ruled } from '../../../schema/rules.ts'
import { type Item, readItemsOfVariants, type Variant } from '../catalog/public.ts'
import type { ShippedItem } from './decide-rates.ts'

const Quantity = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 10_000, default: 1, description: 'How many units.' }),
)

const rules = { price: 'the variant has no price', currency: 'the price of the variant is not in {currency}' }

export const CalculatedItem = Type.Union([
  Closed({
    quantity: Quantity,
    amount: Amount('What one unit costs, before tax and fulfillment, in minor units (1999 is $19.99).'),
    weight_grams: Type.Optional(
      Nullable(
        Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'What one unit weighs, in grams.' }),
      ),
    ),
    label: Type.Optional(Nullable(Text(64, { description: 'Its fulfillment label.' }))),
  }),
  Closed({
    quantity: Quantity,
    catalog_variant_id: Ruled(
      IdParam(
        'A variant of your catalog, with its price, weight and fulfillment label. Only cards that fit its kind are asked: `digital` for digital items, `service` for services and bookings, all others for products.',
        'var',
      ),
      rules,
    ),
  }),
])
export type CalculatedItem = Static<typeof CalculatedItem>

/** The items of a calculation: the variants' own currency, and the items once the currency is decided. */
type CalculatedItems = { currency: string | null; itemsIn(currency: string): ShippedItem[] }

/** Reads the variants that are named; throws the 404 for those that the catalog does not have. */
export async function readCalculatedItems(
  ctx: Pick<CallContext, 'tenant' | 'reads'>,
  items: readonly CalculatedItem[],
): Promise<CalculatedItems> {
  const ids = items.flatMap((item) => ('amount' in item ? [] : [item.catalog_variant_id]))
  const found = ids.length === 0 ? [] : await readItemsOfVariants(ctx.reads, ctx.tenant, ids)
  const variants = new Map(
    found.flatMap(({ item_type, variants }) =>
      variants.map((variant) => [variant.id as string, { ...variant, item_type }]),
    ),
  )
  const priced = items.map((item, index) => {
    if ('amount' in item) return { item, variant: null }
    const variant = variants.get(item.catalog_variant_id)
    if (!variant) throw new Problem('not_found', { param: `items[${index}].catalog_variant_id` })
    return { item, variant }
  })
  return {
    currency: priced.find(({ variant }) => variant !== null)?.variant?.currency ?? null,
    itemsIn: (currency) =>
      priced.map(({ item, variant }, index) =>
        variant === null ? writtenItem(item) : soldItem(item, variant, { currency, index }),
      ),
  }
}

function writtenItem(item: CalculatedItem): ShippedItem {
  if (!('amount' in item)) throw new Error('a variant that was not looked up')
  const { quantity = 1, amount, weight_grams: weightGrams = null, label = null } = item
  return { itemType: null, quantity, amount: BigInt(amount), weightGrams, label }
}

function soldItem(
  { quantity = 1 }: CalculatedItem,
  variant: Variant & Pick<Item, 'item_type'>,
  { currency, index }: { currency: string; index: number },
): ShippedItem {
  const loc = ['body', 'items', index, 'catalog_variant_id']
  if (variant.price === null) throw invalid(loc, rules.price)
  if (variant.currency !== currency) throw invalid(loc, filled(rules.currency, { currency }))
  return {
    itemType: variant.item_type,
    quantity,
    amount: BigInt(variant.price),
    weightGrams: variant.weight_grams ?? null,
    label: variant.fulfillment_label ?? null,
  }
}
