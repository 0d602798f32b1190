import type { LookItem, Sight } from '../../domain/buying/looks/port.ts'
import { chosenAtPage, pageVariantId } from './page-variant-id.ts'
import type { ShopProduct } from './shopping-words.ts'

type SeenItem = Sight['items'][number]
type SeenProduct = NonNullable<SeenItem['product']>

export const none: Pick<SeenItem, 'variantId' | 'unitAmount'> = { variantId: null, unitAmount: null }

/** Null: nothing of it has a price. */
export function productOf(read: ShopProduct, url: string): SeenProduct | null {
  const { title, description, images, options } = read
  const variants = read.variants.slice(0, variantsMax).flatMap((variant) => variantOf(read, variant) ?? [])
  if (variants.length === 0) return null
  return {
    id: url,
    title: title.slice(0, 255),
    description: description.slice(0, 4_000),
    handle: null,
    url,
    categories: [],
    media: images
      .filter((image) => URL.parse(image)?.protocol === 'https:')
      .slice(0, 10)
      .map((image) => ({ type: 'image', url: image, alt_text: null })),
    options: options.map(({ name, values }) => ({ name, values: [...values] })),
    variants,
    sellerName: null,
  }
}

const variantsMax = 100

/** The most that an amount of ours can be, in minor units. */
export const amountMax = 1_000_000_000_000n

function variantOf(
  { title, currency }: ShopProduct,
  { sku, selections, unitAmount, isAvailable }: ShopProduct['variants'][number],
): SeenProduct['variants'][number] | null {
  const id = pageVariantId({ sku, selections })
  if (id === null || unitAmount === null || currency === null || !/^[A-Z]{3}$/.test(currency)) return null
  if (unitAmount < 0n || unitAmount > amountMax) return null
  const words = selections.map(({ value }) => value).join(', ')
  return {
    id,
    title: (words || title).slice(0, 255),
    description: selections.map(({ name, value }) => `${name}: ${value}`).join(', '),
    sku,
    barcodes: [],
    price: { amount: Number(unitAmount), currency },
    availability: { available: isAvailable, status: isAvailable ? 'in_stock' : 'out_of_stock' },
    options: selections.map(({ name, value }) => ({ name, label: value })),
  }
}

/** Which of the variants is meant; none where that is not clear. */
export function chosenOf({ variants }: SeenProduct, item: LookItem): typeof none {
  const wanted = chosenAtPage(item.variant)
  const [only, ...others] = variants.filter((variant) => fits(variant, wanted))
  return only === undefined || others.length > 0
    ? none
    : { variantId: only.id, unitAmount: only.price.amount }
}

function fits(
  { sku, options }: Pick<SeenProduct['variants'][number], 'sku' | 'options'>,
  wanted: LookItem['variant'],
): boolean {
  if (wanted?.selections !== undefined)
    return wanted.selections.every(({ name, value }) =>
      options.some((option) => isSameWord(option.name, name) && isSameWord(option.label, value)),
    )
  return wanted?.sku === undefined || wanted.sku === sku
}

function isSameWord(left: string, right: string): boolean {
  return left.trim().toLowerCase() === right.trim().toLowerCase()
}
