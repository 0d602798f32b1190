import type { CallContext, Tenant } from '../../../contract/context.ts'
import { toWire } from '../../../core/money.ts'
import type { LineItem } from '../../trade/orders/public.ts'
import { withDiscount } from '../pricing/public.ts'
import { reservePromotionUses, sumOfDiscounts } from '../promotions/public.ts'
import type { CheckoutBuyer, CheckoutLine } from './checkout.ts'
import { type PricedCheckout, promotedBuyer } from './price-checkout.ts'

type Use = {
  readonly id: string
  readonly cartId: string
  readonly buyer: CheckoutBuyer | null
  readonly codes: readonly string[]
  /** What the buyer has agreed to pay in all. */
  readonly total: number
}

/** Holds the promotions that the price counts on, and returns their uses; `lost`: the price is another without them, or with better ones. */
export async function holdPromotions(
  ctx: CallContext,
  merchant: Tenant,
  priced: PricedCheckout,
  { id, cartId, buyer, codes, total }: Use,
): Promise<readonly string[] | 'lost'> {
  const held = await reservePromotionUses(ctx, priced.running, {
    merchant,
    id,
    cartId,
    cart: priced.goods.promoted,
    buyer: promotedBuyer(ctx, merchant, buyer),
    codes,
  })
  if (toWire(withDiscount(priced.goods, sumOfDiscounts(held)).total) !== total) return 'lost'
  return held.map(({ useId }) => useId)
}

/** What an order says of its goods. */
export function orderedLines(lines: readonly CheckoutLine[]): LineItem[] {
  return lines.map((line) => ({
    catalog_item_id: line.catalog_item_id,
    catalog_variant_id: line.catalog_variant_id as `var_${string}`, // a variant's own id
    sku: line.sku,
    title: line.title,
    url: line.url,
    quantity: line.quantity,
    unit_amount: line.unit_amount,
    amount: line.unit_amount * line.quantity,
  }))
}
