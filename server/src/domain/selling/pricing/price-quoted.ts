import type { Mode, Reads } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import { findVariant, type Item, readItem, stockFor } from '../catalog/public.ts'
import type { Priced, Refused } from './price-cart.ts'
import type { LineRefusal, SoldLine } from './sold-line.ts'

/** The quoted item of a merchant's catalog, as it is at this moment; `item` is null where it is gone. */
export type QuotedListing = { readonly item: Item | null; readonly variantId: string }

type QuotedGoods = {
  readonly merchant_account_id: Id<'acct'>
  readonly mode: Mode
  readonly catalog_item_id: Id<'cat'> | null
  readonly catalog_variant_id: string | null
}

/** Reads the quoted item; null where the quote names no variant of a catalog. */
export async function readQuotedListing(
  reads: Pick<Reads, 'maybe'>,
  { merchant_account_id, mode, catalog_item_id: id, catalog_variant_id: variantId }: QuotedGoods,
): Promise<QuotedListing | null> {
  if (id === null || variantId === null) return null
  return { item: await readItem(reads, { accountId: merchant_account_id, mode }, id), variantId }
}

/**
 * A cart at a quoted price. The total is complete: the merchant has not said how much of it is fulfillment or tax, and no promotion
 * lowers it. The stock counts as for any cart, since a quote reserves nothing.
 */
export function priceQuoted(
  quote: {
    readonly total: bigint
    readonly currency: string
    readonly quantity: number
    readonly title: string | null
  },
  quoted: QuotedListing | null,
): Priced | Refused {
  const listing = quoted && listingOf(quoted, quote.quantity)
  if (typeof listing === 'string')
    return { kind: 'refused', refusals: [{ line: 0, code: listing, message: null }] }
  const { total, currency, quantity, title } = quote
  return {
    kind: 'priced',
    lines: [{ quantity, unitAmount: total / BigInt(quantity), title, listing }],
    subtotal: total,
    fulfillment: 0n,
    tax: 0n,
    discount: 0n,
    total,
    currency,
    taxBasisPoints: null,
  }
}

/** The quoted variant while it is for sale, whatever its price in the catalog is. */
function listingOf({ item, variantId }: QuotedListing, quantity: number): SoldLine['listing'] | LineRefusal {
  // guard quoted-while-published: a quoted item is bought only while it is for sale
  if (item?.status !== 'published') return 'product_not_found'
  const variant = findVariant(item, { id: variantId })
  if (typeof variant === 'string') return 'product_not_found'
  // guard quoted-within-stock: a quote sells no more than there is
  const stock = stockFor(variant, quantity)
  return stock === 'available' ? { itemId: item.id, variantId: variant.id, sku: variant.sku } : stock
}
