import type { ShopOffer, ShopPrice } from '../../channels/browser/shopping-words.ts'
import type { PageSnapshot } from '../reading/page-snapshot.ts'
import { type Errand, refused } from './errand.ts'
import { matchLines } from './match-lines.ts'
import { recurringTermsOf, type Totals } from './read-page.ts'

/** The summary as an offer, if it is one that can be bought by card: the goods that are wanted, in the currency that is. */
export function offerOf(errand: Errand, page: PageSnapshot, totals: Totals): ShopOffer | ShopPrice {
  const { request } = errand
  if (totals.total === null) return refused('merchant_unsupported')
  if (totals.currency !== null && totals.currency !== request.currency) return refused('unsupported_currency')
  const recurring = recurringTermsOf(page)
  if (recurring !== null) return refused('merchant_unsupported', recurring)
  if (totals.total === 0n) return refused('merchant_unsupported', 'The total is 0.')
  const lines = matchLines(errand, totals.lines.length > 0 ? totals.lines : errand.lines)
  if (lines === null) return refused('merchant_changed')
  const fulfillment = totals.shipping ?? 0n
  const tax = totals.isTaxIncluded ? 0n : (totals.tax ?? 0n)
  const discount = totals.discount
  const goods = lines.reduce((sum, { item, unit }) => sum + unit * BigInt(item.quantity), 0n)
  const subtotal = totals.total - fulfillment - tax + discount
  // What is in the total and under no name is part of what the goods cost.
  return {
    lines: lines.map(({ item, unit, title }) => ({
      itemId: item.id,
      quantity: item.quantity,
      unitAmount: unit,
      title,
    })),
    subtotal: totals.subtotal ?? (subtotal > 0n ? subtotal : goods),
    fulfillment,
    tax,
    discount,
    total: totals.total,
    currency: request.currency,
    promo: errand.promo,
  }
}
