import type { ShopRequest } from '../../channels/browser/shopping-words.ts'
import { chooseDelivery, type DeliveryOption } from '../reading/delivery-options.ts'

/** What is wanted within the allowance. Where nothing is within it, the cheapest, which then is found to be too dear. */
export function wantedDelivery(
  options: readonly DeliveryOption[],
  { method, speed, feeAllowance }: ShopRequest['fulfillment'],
): DeliveryOption | null {
  if (method === 'pickup') return cheapestOf(options.filter(({ isPickup }) => isPickup))
  const delivered = options.filter(({ isPickup }) => !isPickup)
  return chooseDelivery(delivered, speed, feeAllowance) ?? cheapestOf(delivered)
}

function cheapestOf(options: readonly DeliveryOption[]): DeliveryOption | null {
  const priced = options.flatMap((option) =>
    option.amount === null ? [] : [{ option, amount: option.amount }],
  )
  const [cheapest] = priced.sort((a, b) => (a.amount < b.amount ? -1 : 1))
  // Without any price the shop's own choice stands.
  return cheapest?.option ?? options.find(({ isSelected }) => isSelected) ?? options[0] ?? null
}
