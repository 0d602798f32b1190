import { memberOf } from '../client.ts'
import { type Driver, insistAsWished, lookUntil, rest } from './ask.ts'
import { purchase } from './pursue-purchase.ts'
import { orderOf } from './pursue-return.ts'
import type { Wish } from './wish.ts'

/** Buys from a merchant that is slow to confirm and lowers its price meanwhile. */
export async function pursueReprice(driver: Driver, wish: Wish): Promise<void> {
  const intent = await purchase(driver, wish)
  if (intent === null) return
  const order = await lookUntil(driver, `/v1/purchase_intents/${intent}`, orderOf)
  if (order === null) return
  const name = `reprice-${wish.reference}`
  await insistAsWished(driver, {
    deed: 'reprice',
    wish,
    name,
    target: order,
    send: rest(driver, {
      path: `/v1/merchant/orders/${order}/reprice`,
      key: driver.order.keys.person,
      name,
      body: { subtotal_amount_cents: wish.repricedTo, reason: name },
    }),
    tell: (body) => {
      const total = memberOf(body, 'total_amount')
      return typeof total === 'number' ? { total } : null
    },
  })
}
