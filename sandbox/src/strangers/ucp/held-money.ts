import { setTimeout as wait } from 'node:timers/promises'
import type { Means } from '../shop/card-processor.ts'
import type { Order } from '../shop/memory.ts'
import { keepOrder, openOrder, payOrder } from '../shop/place-order.ts'
import { cartOfSession, deskAt, type Session, sessionsOf } from './session.ts'
import { priceOf, type UcpShop } from './ucp-shop.ts'

/** For how long a checkout that nothing comes of can be asked for. */
export const stuckMs = 15_000

/** The money is held, and no order comes of it: neither the cart nor the checkout knows one. */
export async function holdForNothing(shop: UcpShop, session: Session, means: Means): Promise<void> {
  const desk = deskAt(shop.desk, session)
  const cart = cartOfSession(desk, session)
  const placing = { cart, priced: priceOf(shop, session), method: 'token', capture: 'later' } as const
  await payOrder(desk, await openOrder(desk, placing), means)
  void wait(stuckMs, undefined, { ref: false }).then(() => releaseHold(shop, session))
}

/** What was held for a checkout that ended goes back. */
export async function releaseHold(shop: UcpShop, session: Session): Promise<void> {
  const order = shop.desk.memory.orders.get(cartOfSession(shop.desk, session).orderId ?? '')
  if (order?.state !== 'authorized') return
  const outcome = await shop.desk.processor.reverse(
    order.authorizationId ?? '',
    `${shop.desk.name}:${order.id}:reverse`,
  )
  if (outcome.kind !== 'approved') return
  const reversed: Order = { ...order, state: 'cancelled', reversed: order.amount }
  keepOrder(shop.desk, reversed, 'reversed', 'charge')
}

/** At the start: what a process that ended was holding for nothing. */
export function releaseStuck(shop: UcpShop): void {
  for (const session of sessionsOf(shop.desk)) {
    if (session.stage === 'stuck') void releaseHold(shop, session)
  }
}
