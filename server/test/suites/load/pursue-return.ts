import { setTimeout as delay } from 'node:timers/promises'
import { memberOf } from '../client.ts'
import { type Asking, type Driver, insist, insistAsWished, lookUntil, rest } from './ask.ts'
import { purchase } from './pursue-purchase.ts'
import type { Told } from './synced-journal.ts'
import type { Wish } from './wish.ts'

/**
 * Buys an item that its merchant then delivers and takes back. A part of the money is refunded, then two requests compete to refund the
 * rest.
 */
export async function pursueReturn(driver: Driver, wish: Wish): Promise<void> {
  const intent = await purchase(driver, wish)
  if (intent === null) return
  const found = await lookUntil(driver, `/v1/purchase_intents/${intent}`, orderOf)
  if (found === null) return
  const paid = await lookUntil(driver, `/v1/merchant/orders/${found}`, (order) =>
    memberOf(order, 'payment_status') === 'authorized' ? null : order,
  )
  if (memberOf(paid, 'payment_status') !== 'captured') return
  driver.counts.paid += 1
  await Promise.race([delay(wish.refundAfterMs), driver.stopped])
  const act = (asking: Pick<Asking, 'deed' | 'name' | 'tell'>, path: string, body: object) => ({
    ...asking,
    wish,
    target: found,
    send: rest(driver, {
      path: `/v1/merchant/orders/${found}/${path}`,
      key: driver.order.keys.person,
      name: asking.name,
      body,
    }),
  })
  const fulfill = `fulfill-${wish.reference}`
  const shipment = { carrier: 'Post', tracking_number: fulfill, status: 'delivered' }
  await insistAsWished(driver, act({ deed: 'fulfill', name: fulfill }, 'fulfillments', shipment))
  const refund = (name: string, body: object) =>
    act({ deed: 'refund', name, tell: (order) => tellRefund(order, name) }, 'refunds', {
      ...body,
      reason: name,
    })
  await insistAsWished(driver, refund(`refund-part-${wish.reference}`, { amount: wish.refundAmount }))
  await Promise.all([
    insistAsWished(driver, refund(`refund-rest-${wish.reference}`, {})),
    insist(driver, refund(`refund-again-${wish.reference}`, {})),
  ])
}

/** The order of a purchase's one cart; null while there is none. */
export function orderOf(intent: unknown): string | null {
  const carts = memberOf(intent, 'carts')
  const order = memberOf(Array.isArray(carts) ? carts[0] : undefined, 'order')
  return typeof order === 'string' ? order : null
}

/** The reason of a refund names the request that made it. */
export function tellRefund(order: unknown, reason: string): Told | null {
  const refunds = memberOf(order, 'refunds')
  const refund: unknown = Array.isArray(refunds)
    ? refunds.find((one) => memberOf(one, 'reason') === reason)
    : undefined
  const [id, amount] = [memberOf(refund, 'id'), memberOf(refund, 'amount')]
  return typeof id === 'string' && typeof amount === 'number' ? { refund: id, amount } : null
}
