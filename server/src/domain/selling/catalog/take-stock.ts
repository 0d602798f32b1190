import type { ActingContext, Tenant } from '../../../contract/context.ts'
import type { ItemRow, Variant } from './item.ts'
import { lockCountedItems } from './items.sql.ts'
import { writeItem } from './write-item.ts'

/** The units that a confirmed order takes from stock. */
export type Taken = { readonly itemId: string; readonly variantId: string; readonly quantity: number }

/**
 * Takes the units of a confirmed order from the merchant's counted stock, never below zero: the merchant has confirmed that it will
 * deliver, whatever we counted. Items that are gone are skipped.
 */
export async function takeStock(
  ctx: ActingContext,
  merchant: Tenant,
  taken: readonly Taken[],
): Promise<void> {
  if (taken.length === 0) return
  const ids = [...new Set(taken.map(({ itemId }) => itemId))]
  const items = await ctx.tx.ahead.rows(
    lockCountedItems({ account_id: merchant.accountId, mode: merchant.mode, ids }),
  )
  for (const item of items) {
    const variants = remaining(item, taken)
    if (variants) writeItem(ctx, item, { variants }, 'catalog_item.stock_changed')
  }
}

/** The variants without these units, or null when no counted stock changes. */
export function remaining(item: Pick<ItemRow, 'id' | 'variants'>, taken: readonly Taken[]): Variant[] | null {
  let moved = false
  const variants = item.variants.map((variant) => {
    const wanted = taken
      .filter(({ itemId, variantId }) => itemId === item.id && variantId === variant.id)
      .reduce((sum, { quantity }) => sum + quantity, 0)
    if (wanted === 0 || !variant.quantity) return variant
    moved = true
    return { ...variant, quantity: Math.max(0, variant.quantity - wanted) }
  })
  return moved ? variants : null
}
