import type { LoadedCart } from '../intents/public.ts'
import type { Kind, Outside } from './outside.testing.ts'
import type { Held } from './world.testing.ts'

/** What must not be so once everything about a cart has come to its end, by the memory of rails and merchant. */
export function judgeEnd(cart: LoadedCart, outside: Outside, kind: Kind): readonly string[] {
  if (kind === 'card') return judgeCards(cart, outside.rails.held)
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

/**
 * Its buyer has paid what the shop has of the card of this attempt. What it took without asking is the operator's, or the buyer's as far as
 * that was allowed and not captured yet.
 */
function judgeCards(cart: LoadedCart, held: readonly Held[]): readonly string[] {
  const isBought = cart.status === 'succeeded'
  const own = held.filter(({ kind }) => kind === 'authorization')
  const paid = own.reduce((sum, one) => sum + one.captured - one.refunded, 0n)
  const open = own.filter(({ status }) => status === 'authorized' || status === 'waiting').length
  const card = held.find(({ kind, key }) => kind === 'credential' && key.includes(`:${cart.attempt_number}:`))
  const { captured = 0n, forced = 0n, refunded = 0n, amount = 0n } = (isBought && card) || {}
  const isPaid = paid >= captured - forced - refunded && paid <= least(captured - refunded, amount)
  const costs = cart.actual_amount
  const isCost = costs >= captured - forced && costs <= least(captured, amount)
  const isOpen = held.some(
    (one) => one.kind === 'credential' && one.status === 'authorized' && !one.isRevoked,
  )
  return [
    ...(isPaid ? [] : [`${cart.status}, its buyer paid ${paid}, and the shop has ${captured - refunded}`]),
    ...(isBought && !isCost ? [`it says it cost ${costs}, and the shop took ${captured}`] : []),
    ...(open > 0 ? [`${cart.status}, and ${open} holds at its buyer's card are open`] : []),
    ...(isOpen ? [`${cart.status}, and its card can be charged`] : []),
  ]
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other
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
