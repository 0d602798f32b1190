import type { Offer, ShopPrice } from '../../channels/browser/shopping-words.ts'
import { deliveryOptions } from '../reading/delivery-options.ts'
import type { PageSnapshot } from '../reading/page-snapshot.ts'
import { cardMethodOf } from './card-method.ts'
import { type Goods, refused, type ShopTask, type Summary } from './shop-task.ts'
import { goodsOn } from './summary.ts'

/** The summary as an offer, if it is one that can be bought by card: the goods that are wanted, in the currency that is. */
export function offerOf(task: ShopTask, page: PageSnapshot, summary: Summary): Offer | ShopPrice {
  const { request } = task
  if (summary.currency !== null && summary.currency !== request.currency)
    return refused('unsupported_currency')
  if (summary.total <= 0n) return refused('merchant_unsupported', 'The total is 0.')
  const method = cardMethodOf(page)
  if (method.kind === 'none')
    return refused(
      'merchant_unsupported',
      method.label === null ? null : `The shop offers only: ${method.label}`,
    )
  const shown = goodsOn(task, page)
  const goods = shown.kind === 'hidden' ? task.goods : shown
  if (goods?.kind !== 'wanted')
    return refused(
      'merchant_changed',
      goods === null || goods.kind === 'hidden'
        ? 'The shop never showed what is in the cart.'
        : 'The shop shows other goods than were asked for.',
    )
  return {
    lines: linesOfOffer(task, goods, summary),
    ...sumsOf(task, page, summary),
    total: summary.total,
    currency: request.currency,
    reference: null,
  }
}

function linesOfOffer(
  { request: { items } }: ShopTask,
  goods: Goods,
  { parts, total }: Summary,
): Offer['lines'] {
  return items.map(({ id, quantity }, index) => {
    const line = goods.lines[index]
    // Where one kind of goods shows no amount of its own, it is all that the goods cost.
    const amount = line?.amount ?? (items.length === 1 ? (parts?.subtotal ?? total) : 0n)
    return { itemId: id, quantity, unitAmount: amount / BigInt(quantity), title: line?.title ?? null }
  })
}

type Sums = Pick<Offer, 'subtotal' | 'fulfillment' | 'tax' | 'discount'>

/** A fee has no line of its own in an offer: it is a part of the price. Tax inside of the price is not counted again. */
function sumsOf({ request, delivery }: ShopTask, page: PageSnapshot, { parts, total }: Summary): Sums {
  if (parts !== null) {
    const { subtotal, fees, fulfillment, discount } = parts
    return { subtotal: subtotal + fees, fulfillment, tax: parts.isTaxIncluded ? 0n : parts.tax, discount }
  }
  const chosen = deliveryOptions(page, request.currency).find(({ isSelected }) => isSelected)
  // What was chosen on the way is in the total.
  const amount = chosen?.amount ?? delivery ?? 0n
  const fulfillment = amount < total ? amount : 0n
  return { subtotal: total - fulfillment, fulfillment, tax: 0n, discount: 0n }
}
