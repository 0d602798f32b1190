import { randomUUID } from 'node:crypto'
import { type Reply, type Visit, withCookie } from '../web/site.ts'
import type { CardProcessor } from './card-processor.ts'
import type { Cart } from './cart.ts'
import { entryOf, type ShopMemory } from './memory.ts'

/** What a shop works with: its name, its memory, and its account at the processor. */
export type Desk = {
  name: string
  /** Its host, which is also its name at the processor. */
  host: string
  memory: ShopMemory
  processor: CardProcessor
  /** Where shared payment tokens are charged, if anywhere. */
  stripeUrl?: string
}

const cookieName = 'session'

/** The cart of this visitor; a new one where there is none, or where the last one was ordered. */
export function cartOf({ memory }: Desk, visit: Visit): Cart {
  const known = memory.carts.get(visit.cookies.get(cookieName) ?? '')
  if (known !== undefined) return known
  return { ...emptyCart, id: newSessionId() }
}

export function freshCart(account: string | null): Cart {
  return { ...emptyCart, id: newSessionId(), account }
}

const emptyCart: Cart = {
  id: '',
  lines: [],
  email: null,
  address: null,
  delivery: null,
  promo: null,
  method: null,
  account: null,
  notes: {},
  orderId: null,
}

/** Keeps the cart, and the cookie that leads to it. */
export function keepCart({ memory }: Desk, cart: Cart, reply: Reply, result?: string): Reply {
  const entry = result === undefined ? null : entryOf('cart', result, { cart })
  memory.commit({ kind: 'cart', cart, entry })
  return withCookie(reply, cookieName, cart.id)
}

/** The cart with so many of an item more. A cart that was ordered is not filled again. */
export function withItem(cart: Cart, sku: string, quantity: number): Cart {
  const base = cart.orderId === null ? cart : freshCart(cart.account)
  const before = base.lines.find((line) => line.sku === sku)
  if (before === undefined) return { ...base, lines: [...base.lines, { sku, quantity }] }
  const lines = base.lines.map((line) =>
    line.sku === sku ? { ...line, quantity: line.quantity + quantity } : line,
  )
  return { ...base, lines }
}

export function newId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '')}`
}

function newSessionId(): string {
  return newId('s')
}
