import type { LoadedCart } from '../intents/public.ts'
import type { Kind, Outside } from './outside.testing.ts'

/** What must not be so once everything about a cart has come to its end, by the memory of rails and merchant. */
export function judgeEnd(cart: LoadedCart, outside: Outside, kind: Kind): readonly string[] {
  const { held } = outside.rails
  const taken = held.reduce((sum, one) => sum + one.captured - one.refunded, 0n)
  // Whatever could still become a charge, a payment that waits for its person too.
  const open = held.filter(({ status }) => status !== 'captured' && status !== 'voided').length
  const isBought = cart.status === 'succeeded'
  const mayGoOn = isBought && kind === 'stranger'
  const costsOther = isBought && kind !== 'stranger' && taken !== cart.actual_amount
  return [
    ...(taken > cart.max_allowed_amount ? [`${taken} was charged, more than the cap`] : []),
    ...(open > 0 && !mayGoOn ? [`${cart.status}, and ${open} holds are open`] : []),
    ...(costsOther ? [`it says it cost ${cart.actual_amount}, and ${taken} was charged`] : []),
    ...(!isBought && taken !== 0n ? [`${cart.status}, and ${taken} was charged`] : []),
    ...judgeOrders(cart, outside, kind),
  ]
}

function judgeOrders({ status }: LoadedCart, { orders, shop }: Outside, kind: Kind): readonly string[] {
  if (kind !== 'native' && kind !== 'simulated') return []
  const confirmed = [...orders.values()].filter((order) => order.status === 'confirmed')
  const isUnpaid = confirmed.some(({ payment }) => payment !== 'captured' && payment !== 'failed')
  const paid = confirmed.filter(({ payment }) => payment === 'captured').length
  const placed = [...shop.orders.values()].filter(
    ({ told, isClosed }) => told === 'placed' && !isClosed,
  ).length
  const count = kind === 'native' ? paid : placed
  return [
    ...(isUnpaid ? ['an order is confirmed and unpaid'] : []),
    ...(count === (status === 'succeeded' ? 1 : 0)
      ? []
      : [`${status}, and its merchant has ${count} orders`]),
  ]
}
