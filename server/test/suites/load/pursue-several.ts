import { memberOf } from '../client.ts'
import { type Driver, insistAsWished, lookUntil, rest } from './ask.ts'
import { purchase } from './pursue-purchase.ts'
import { tellRefund } from './pursue-return.ts'
import type { Wish } from './wish.ts'

/** The retries for two carts that are rejected twice each, one after the other. */
const retriesMax = 4
const over: readonly unknown[] = ['succeeded', 'failed', 'cancelled', 'declined']

type Cart = { id: string; attempt: number; domain: string; order: string | null } & {
  canRetry: boolean
  isBought: boolean
}

/**
 * Buys from several merchants, of which some reject their cart, and retries those carts for as long as possible. Then two merchants
 * refund money in turns.
 */
export async function pursueSeveral(driver: Driver, wish: Wish): Promise<void> {
  const intent = await purchase(driver, wish)
  if (intent === null) return
  const path = `/v1/purchase_intents/${intent}`
  let carts = await lookUntil(driver, path, (found) => endedCarts(found, new Map()))
  for (let round = 1; round <= retriesMax && carts !== null; round++) {
    const failed = carts.filter(({ canRetry }) => canRetry)
    const chosen = wish.retriesByCart ? failed.slice(0, 1) : failed
    if (chosen.length === 0) break
    const name = `retry-${round}-${wish.reference}`
    const retried = await insistAsWished(driver, {
      deed: 'retry',
      wish,
      name,
      target: intent,
      send: rest(driver, {
        path: `${path}/retry`,
        key: driver.order.keys.person,
        name,
        body: wish.retriesByCart ? { cart_ids: chosen.map(({ id }) => id) } : {},
      }),
      tell: () => ({ retries: round }),
    })
    if (retried === null) return
    const due = new Map(chosen.map(({ id, attempt }) => [id, attempt + 1]))
    carts = await lookUntil(driver, path, (found) => endedCarts(found, due))
  }
  const isRecovered = carts?.every(({ isBought }) => isBought) && carts.some(({ attempt }) => attempt > 1)
  if (isRecovered) driver.counts.recovered += 1
  if (carts !== null) await refundInTurns(driver, wish, carts)
}

/** The carts of a purchase once it is over and these carts have reached these attempts; null until then. */
function endedCarts(intent: unknown, due: ReadonlyMap<string, number>): Cart[] | null {
  const told = memberOf(intent, 'carts')
  if (!over.includes(memberOf(intent, 'status')) || !Array.isArray(told)) return null
  const carts = told.map((cart): Cart => {
    const order = memberOf(cart, 'order')
    return {
      id: String(memberOf(cart, 'id')),
      attempt: Number(memberOf(cart, 'attempt_number')),
      domain: String(memberOf(cart, 'merchant_domain')),
      order: typeof order === 'string' ? order : null,
      canRetry: memberOf(cart, 'can_retry') === true,
      isBought: memberOf(cart, 'status') === 'succeeded',
    }
  })
  return carts.every(({ id, attempt }) => attempt >= (due.get(id) ?? 1)) ? carts : null
}

async function refundInTurns(driver: Driver, wish: Wish, carts: readonly Cart[]): Promise<void> {
  const bought = carts.filter(({ isBought, order }) => isBought && order !== null).slice(0, 2)
  for (let turn = 1; turn <= wish.refundTurns; turn++) {
    for (const [place, { order, domain }] of bought.entries()) {
      const shop = driver.order.trade?.several.shops.find((one) => one.domain === domain)
      const name = `refund-${turn}-${place}-${wish.reference}`
      await insistAsWished(driver, {
        deed: 'refund',
        wish,
        name,
        target: order,
        send: rest(driver, {
          path: `/v1/merchant/orders/${order}/refunds`,
          key: shop?.key ?? '',
          name,
          body: { amount: 10 * turn + place, reason: name },
        }),
        tell: (body) => tellRefund(body, name),
      })
    }
  }
}
