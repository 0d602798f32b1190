import type { ShopRequest } from '../../channels/browser/shopping-words.ts'
import type { Delivery } from './read-page.ts'

/** The cheapest, or the fastest within the allowance. Where none is within it, the cheapest, which then is found to be too dear. */
export function wantedDelivery(
  deliveries: readonly Delivery[],
  { method, speed, feeAllowance }: ShopRequest['fulfillment'],
): Delivery | null {
  const fitting = deliveries.filter(({ isPickup }) => isPickup === (method === 'pickup'))
  const byPrice = [...fitting].sort((a, b) => compare(a.amount, b.amount))
  const affordable = byPrice.filter(({ amount }) => amount !== null && amount <= feeAllowance)
  if (speed === 'cheapest' || affordable.length === 0) return byPrice[0] ?? null
  const timed = affordable.filter(({ days }) => days !== null)
  const [soonest] = timed.sort((a, b) => (a.days ?? 0) - (b.days ?? 0) || compare(a.amount, b.amount))
  // Where no times are said, what is faster costs more.
  return soonest ?? affordable.at(-1) ?? null
}

function compare(a: bigint | null, b: bigint | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  return a < b ? -1 : a > b ? 1 : 0
}
