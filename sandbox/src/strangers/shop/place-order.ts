import { setTimeout as wait } from 'node:timers/promises'
import type { CardOutcome } from './card-outcome.ts'
import type { Means } from './card-processor.ts'
import type { Cart } from './cart.ts'
import { type Desk, newId } from './desk.ts'
import { entryOf, type Order } from './memory.ts'
import type { Priced } from './price-cart.ts'

type Placing = {
  cart: Cart
  priced: Priced
  method: string
  /** What the card is asked for where it is not the total. */
  amount?: number
  capture?: Order['capture']
  /** The buyer pays elsewhere, or never: until then the cart stays open. */
  isPaidElsewhere?: true
}

/** An order in the book, before any money: what is charged for it can be found after a crash. */
export async function openOrder(desk: Desk, placing: Placing): Promise<Order> {
  const { cart, priced, method } = placing
  const order: Order = {
    id: newId('order'),
    number: String(100_001 + desk.memory.orders.size),
    cartId: cart.id,
    at: new Date().toISOString(),
    priced,
    email: cart.email ?? '',
    address: cart.address,
    method,
    amount: placing.amount ?? priced.total,
    state: placing.isPaidElsewhere ? 'unpaid' : 'charging',
    capture: placing.capture ?? 'now',
    authorizationId: null,
    captured: 0,
    refunded: 0,
    reversed: 0,
  }
  keepOrder(desk, order, 'opened')
  if (!placing.isPaidElsewhere) claimCart(desk, cart, order)
  await desk.memory.durable()
  return order
}

/** A second press of the button finds the order of the first. */
export function claimCart({ memory }: Desk, cart: Cart, order: Order): void {
  memory.commit({ kind: 'cart', cart: { ...cart, orderId: order.id }, entry: null })
}

/** Authorizes the card for the order, and captures unless that comes later. The answer is the order as it ended. */
export async function payOrder(
  desk: Desk,
  order: Order,
  means: Means,
): Promise<{ order: Order; code: string | null }> {
  const outcome = await untilKnown(() =>
    desk.processor.authorize(means, {
      key: authorizeKey(desk, order),
      amount: order.amount,
      currency: order.priced.currency,
      merchant: desk.host,
      reference: `${desk.name}:${order.number}`,
    }),
  )
  return book(desk, order, outcome)
}

export function keepOrder(
  desk: Desk,
  order: Order,
  result: string,
  kind: 'order' | 'charge' = 'order',
): void {
  desk.memory.commit({ kind: 'order', order, entry: entryOf(kind, result, { order }) })
}

/** By a card on the shop's own page, or by a token that came with the order. */
const paidHere: ReadonlySet<string> = new Set(['card', 'token'])

/** After a restart: what was being charged is asked for. The card itself is gone, so nothing is charged anew. */
export async function resumeOrders(desk: Desk): Promise<void> {
  for (const order of [...desk.memory.orders.values()]) {
    if (order.state === 'charging' && paidHere.has(order.method)) {
      const outcome = await untilKnown(() => desk.processor.settle(authorizeKey(desk, order)))
      await book(desk, order, outcome)
    } else if (order.state === 'authorized' && order.capture === 'now') await captureAll(desk, order)
  }
}

async function book(
  desk: Desk,
  order: Order,
  outcome: CardOutcome,
): Promise<{ order: Order; code: string | null }> {
  if (outcome.kind !== 'approved') {
    const code = outcome.kind === 'declined' ? outcome.code : 'no_answer'
    const declined: Order = { ...order, state: outcome.kind === 'declined' ? 'declined' : 'charging' }
    keepOrder(desk, declined, `declined:${code}`, 'charge')
    if (outcome.kind === 'declined') reopenCart(desk, declined)
    return { order: declined, code }
  }
  const authorized: Order = { ...order, state: 'authorized', authorizationId: outcome.id }
  keepOrder(desk, authorized, 'authorized', 'charge')
  return { order: order.capture === 'now' ? await captureAll(desk, authorized) : authorized, code: null }
}

/** The cart may be ordered once more: nothing came of this order. */
function reopenCart(desk: Desk, order: Order): void {
  const cart = desk.memory.carts.get(order.cartId)
  if (cart?.orderId === order.id)
    desk.memory.commit({ kind: 'cart', cart: { ...cart, orderId: null }, entry: null })
}

async function captureAll(desk: Desk, order: Order): Promise<Order> {
  const call = { key: `${desk.name}:${order.id}:capture`, amount: order.amount, isFinal: true }
  const outcome = await untilKnown(() => desk.processor.capture(order.authorizationId ?? '', call))
  if (outcome.kind !== 'approved') return order
  const paid: Order = { ...order, state: 'paid', captured: order.amount, captureId: outcome.id }
  keepOrder(desk, paid, 'captured', 'charge')
  return paid
}

function authorizeKey({ name }: Desk, { id }: Order): string {
  return `${name}:${id}:authorize`
}

const attemptsMax = 5

async function untilKnown(ask: () => Promise<CardOutcome>): Promise<CardOutcome> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await ask()
    if (outcome.kind !== 'unknown' || attempt === attemptsMax) return outcome
    await wait(100 * 2 ** attempt)
  }
}
