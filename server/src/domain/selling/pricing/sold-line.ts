import {
  findVariant,
  type Inputs,
  type Item,
  missingInputs,
  stockFor,
  type Variant,
  type VariantChoice,
} from '../catalog/public.ts'
import type { PromotedLine } from '../promotions/public.ts'
import type { FulfilledLine } from '../rate-cards/public.ts'

/** The parts of a merchant's catalog that a price depends on. */
export type CatalogItem = Pick<
  Item,
  'id' | 'title' | 'item_type' | 'categories' | 'variants' | 'required_inputs'
>

/** One line of a cart: what the merchant sells at its URL, if anything, and the buyer's choice of it. */
export type CartLine = {
  readonly item: CatalogItem | null
  readonly variant: VariantChoice | null | undefined
  readonly quantity: number
  /** What the buyer has told the merchant; left out: nothing, and nobody can be asked. */
  readonly inputs?: Inputs
}

/** Why a line cannot be sold. */
export type LineRefusal =
  | 'product_not_found'
  | 'product_out_of_stock'
  | 'insufficient_stock'
  | 'variant_required'
  | 'unsupported_currency'
  /** The merchant must know something that the buyer has not told. */
  | 'input_not_given'
  /** Nothing is wrong with the merchant or the line: a purchase is no way to buy it. */
  | 'merchant_unsupported'

/** A line with its price. */
export type SoldLine = {
  readonly quantity: number
  readonly unitAmount: bigint
  readonly title: string | null
  /** The listing in the merchant's catalog; null where a quote named none. */
  readonly listing: {
    readonly itemId: string
    readonly variantId: string
    readonly sku: string | null
  } | null
}

/** A line that can be sold, with what its price, its fulfillment and promotions depend on. */
export type PricedLine = {
  readonly sold: SoldLine
  readonly fulfilled: FulfilledLine
  readonly promoted: PromotedLine
}

/**
 * Counts the units of each variant over all lines of one cart, so that the same units are not sold twice: the line for which they no
 * longer suffice is refused, and each one after it.
 */
export class Shelf {
  readonly #wanted = new Map<string, number>()

  take(variant: Variant, quantity: number): ReturnType<typeof stockFor> {
    // guard stock-over-all-lines: lines of one variant do not sell the same units twice
    const wanted = (this.#wanted.get(variant.id) ?? 0) + quantity
    this.#wanted.set(variant.id, wanted)
    return stockFor(variant, wanted)
  }
}

/** The catalog's price for a line, or why it cannot be sold. */
export function priceLine(
  { item, variant: choice, quantity, inputs = {} }: CartLine,
  cart: { readonly currency: string; readonly shelf: Shelf },
): PricedLine | LineRefusal {
  if (item === null) return 'product_not_found'
  // A purchase pays once. Bought so, a subscription would end unpaid, or be paid for ever by nobody.
  if (item.item_type === 'subscription') return 'merchant_unsupported'
  if (missingInputs(item.required_inputs, inputs).length > 0) return 'input_not_given'
  const variant = findVariant(item, choice)
  if (variant === 'required') return 'variant_required'
  if (variant === 'not_found' || variant.price === null) return 'product_not_found'
  const stock = cart.shelf.take(variant, quantity)
  if (stock !== 'available') return stock
  // guard sold-in-its-currency: no price is taken for one in another currency
  if (variant.currency !== cart.currency) return 'unsupported_currency'
  const unitAmount = BigInt(variant.price)
  return {
    sold: {
      quantity,
      unitAmount,
      title: titleOf(item.title, variant),
      listing: { itemId: item.id, variantId: variant.id, sku: variant.sku },
    },
    fulfilled: {
      itemType: item.item_type,
      quantity,
      amount: unitAmount,
      // Missing in variants that were written before this field existed.
      weightGrams: variant.weight_grams ?? null,
      label: variant.fulfillment_label ?? null,
    },
    promoted: { itemId: item.id, categories: item.categories, unitAmount, quantity },
  }
}

function titleOf(title: string | null, variant: Variant): string | null {
  return variant.title === null || variant.title === title ? title : `${title ?? ''} ${variant.title}`.trim()
}
