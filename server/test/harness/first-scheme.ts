import { expect } from 'vitest'
import { type Buyer, type Buying, type CartBody, intentBody, type Purchase } from './buying.ts'
import { answerOrder, type NativeShop } from './native-shops.ts'

/** A purchase as the previous version makes it: the ids of its carts, orders and refunds follow from each other by XOR. */
export async function buyAsBefore(
  buying: Buying,
  buyer: Buyer,
  shops: readonly NativeShop[],
): Promise<string> {
  const { app } = buying
  const items = shops.map(({ url }) => ({ url }))
  const created = await app.post('/v1/purchase_intents', intentBody(buyer, items, {}), { key: buyer.key })
  expect(created.body.status, JSON.stringify(created.body)).toBe('awaiting_approval')
  const { id } = created.body
  await buying.sql('update purchase_intents set id_scheme = 1 where id = $1', [id])
  const { status } = await app.post(
    `/v1/purchase_intents/${id}/approve`,
    { approve: true },
    { key: buyer.key },
  )
  expect(status).toBe(200)
  return id
}

/** Waits until every cart that is not over has an order of its current attempt. */
export function orderedEverywhere(buying: Buying, buyer: Buyer, id: string): Promise<Purchase> {
  const isOrdered = ({ status, order }: CartBody) =>
    status === 'succeeded' || (status === 'in_progress' && typeof order === 'string')
  return buying.until(buyer, id, ({ carts }) => carts.length > 0 && carts.every(isOrdered))
}

/** A purchase from three shops of which the third rejects, as the previous version has bought it. */
export async function rejectedByThird(
  buying: Buying,
  buyer: Buyer,
  shops: readonly NativeShop[],
): Promise<Purchase> {
  const id = await buyAsBefore(buying, buyer, shops)
  const { carts } = await orderedEverywhere(buying, buyer, id)
  for (const [position, shop] of shops.entries()) {
    const outcome = position === 2 ? 'rejected' : 'confirmed'
    await answerOrder(buying, shop, String(carts[position]?.order), outcome)
  }
  const ended = await buying.ended(buyer, id)
  expect(ended).toMatchObject({ status: 'failed', carts: [{}, {}, { can_retry: true }] })
  return ended
}

export async function retryPurchase(buying: Buying, buyer: Buyer, id: string): Promise<void> {
  const { status, body } = await buying.app.post(`/v1/purchase_intents/${id}/retry`, {}, { key: buyer.key })
  expect([status, body.status], JSON.stringify(body)).toEqual([200, 'approved'])
}

/**
 * Its retry as the previous version leaves it: the rail holds the money, the journal says that it was requested, and no row knows
 * the result, because the order's id is that of the second shop's order and the transaction that writes both is rolled back. The
 * worker that held the cart has lost it, and `stop` is over when no worker runs any more.
 */
export async function stickThird(
  buying: Buying,
  { buyer, purchase, stop }: { buyer: Buyer; purchase: Purchase; stop: () => Promise<void> },
): Promise<string> {
  const cart = String(purchase.carts[2]?.id)
  const paused = buying.faults.pause('authorize.after')
  await retryPurchase(buying, buyer, purchase.id)
  await paused.reached
  const stopped = stop()
  await buying.sql(
    `update carts set id_scheme = 1, lease_token = lease_token + 1, lease_until = null, due_at = now() + interval '5 minutes'
     where id = $1`,
    [cart],
  )
  paused.resume()
  await stopped
  return cart
}
