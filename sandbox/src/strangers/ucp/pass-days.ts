import type { Order } from '../shop/memory.ts'
import { keepOrder } from '../shop/place-order.ts'
import { tellPlatform } from './order-messages.ts'
import {
  cartOfSession,
  findSession,
  type Happened,
  keepSession,
  orderOfSession,
  sessionsOf,
} from './session.ts'
import { dayOf, setDay } from './shop-days.ts'
import { type Later, laterOf, storyOf } from './stories.ts'
import type { UcpShop } from './ucp-shop.ts'

/** Day by day: what is due is done once, also when the processor has to be asked again, and the platforms hear of it. */
export async function passDays(shop: UcpShop, days: number): Promise<void> {
  for (let passed = 0; passed < days; passed++) {
    setDay(shop.desk, dayOf(shop.desk) + 1)
    for (const { id, orderedOn } of sessionsOf(shop.desk)) {
      if (orderedOn !== null) await doWhatIsDue(shop, id)
    }
  }
}

async function doWhatIsDue(shop: UcpShop, id: string): Promise<void> {
  const { desk } = shop
  for (;;) {
    const session = findSession(desk, id)
    const order = session && orderOfSession(desk, session)
    if (session === undefined || order === undefined) return
    const next = laterOf(storyOf(cartOfSession(desk, session).lines))[session.happened.length]
    if (next === undefined || dayOf(desk) < (session.orderedOn ?? 0) + next.day) return
    const done = await carryOut(shop, order, next)
    if (done === undefined) return
    const happened: Happened = {
      does: next.does,
      at: new Date().toISOString(),
      amount: done.amount,
    }
    const changed = { ...session, happened: [...session.happened, happened] }
    keepSession(desk, changed)
    await tellPlatform(shop, changed, done.order, next.does)
  }
}

/** Undefined: the processor did not do it, and is asked again on the next day. */
async function carryOut(
  { desk }: UcpShop,
  order: Order,
  { does, percent = 100 }: Later,
): Promise<{ order: Order; amount: number } | undefined> {
  const { processor, name } = desk
  const key = `${name}:${order.id}:${does}`
  const keep = (changed: Order, result: string, amount: number) => {
    keepOrder(desk, changed, result, 'charge')
    return { order: changed, amount }
  }
  switch (does) {
    case 'ship': {
      if (order.state !== 'authorized') return { order, amount: 0 }
      const call = { key, amount: order.amount, isFinal: true }
      const outcome = await processor.capture(order.authorizationId ?? '', call)
      if (outcome.kind !== 'approved') return undefined
      const paid = { state: 'paid', captured: order.amount, captureId: outcome.id } as const
      return keep({ ...order, ...paid }, 'captured', order.amount)
    }
    case 'deliver':
      return { order, amount: 0 }
    case 'refund': {
      const amount = Math.ceil((order.amount * percent) / 100)
      const outcome = await processor.refund(order.captureId ?? '', { key, amount })
      if (outcome.kind !== 'approved') return undefined
      return keep({ ...order, refunded: amount }, `refunded:${amount}`, amount)
    }
    case 'cancel': {
      const outcome = await processor.reverse(order.authorizationId ?? '', key)
      if (outcome.kind !== 'approved') return undefined
      return keep({ ...order, state: 'cancelled', reversed: order.amount }, 'reversed', order.amount)
    }
    default:
      return does satisfies never
  }
}
