import { openDurableLog } from '../../durable-log.ts'
import type { Address, Cart } from './cart.ts'
import type { Priced } from './price-cart.ts'

export type Order = {
  id: string
  number: string
  cartId: string
  at: string
  priced: Priced
  email: string
  address: Address | null
  method: string
  /** What the card is asked for: usually the total. */
  amount: number
  /** `authorized`: the money comes with the shipments. `unpaid`: an invoice, or nothing at all. */
  state: 'charging' | 'authorized' | 'paid' | 'unpaid' | 'declined' | 'cancelled'
  capture: 'now' | 'later'
  authorizationId: string | null
  /** What was captured and refunded, and given back of what was held. */
  captured: number
  refunded: number
  reversed: number
  /** The capture of all of it, by which it is refunded. */
  captureId?: string
}

/** One line of a shop's testimony. */
type Entry = {
  at: string
  kind: 'cart' | 'order' | 'charge' | 'sign_in' | 'mail' | 'attack' | 'call' | 'webhook'
  result: string
  cart: string | null
  order: string | null
  email: string | null
  items: string | null
  amount: number | null
  currency: string | null
  /** Of a call: who says that he calls, and whether his signature proves it. */
  agent?: string
  signed?: boolean | 'invalid'
  /** By which the call may be repeated. */
  key?: string
}

type Line =
  | { kind: 'cart'; cart: Cart; entry: Entry | null }
  | { kind: 'order'; order: Order; entry: Entry | null }
  | { kind: 'note'; name: string; value: string }
  | { kind: 'entry'; entry: Entry }

export type ShopMemory = {
  carts: Map<string, Cart>
  orders: Map<string, Order>
  /** What the shop remembers besides: codes that it has mailed, days that have passed. */
  notes: Map<string, string>
  entries: Entry[]
  commit(line: Line): void
  durable(): Promise<void>
  close(): Promise<void>
}

export async function openShopMemory(path: string): Promise<ShopMemory> {
  const memory: ShopMemory = {
    carts: new Map(),
    orders: new Map(),
    notes: new Map(),
    entries: [],
    commit: () => {},
    durable: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
  const log = await openDurableLog<Line>(path, (line) => applyLine(memory, line))
  memory.commit = (line) => {
    applyLine(memory, line)
    void log.append(line)
  }
  memory.durable = log.durable
  memory.close = log.close
  return memory
}

export function entryOf(kind: Entry['kind'], result: string, of: { cart?: Cart; order?: Order }): Entry {
  const { cart, order } = of
  const lines = order?.priced.lines ?? cart?.lines ?? []
  return {
    at: new Date().toISOString(),
    kind,
    result,
    cart: order?.cartId ?? cart?.id ?? null,
    order: order?.number ?? null,
    email: order?.email ?? cart?.email ?? null,
    items: lines.map(({ sku, quantity }) => `${quantity} × ${sku}`).join(', ') || null,
    amount: order?.amount ?? null,
    currency: order?.priced.currency ?? null,
  }
}

function applyLine(memory: ShopMemory, line: Line): void {
  switch (line.kind) {
    case 'cart':
      memory.carts.set(line.cart.id, line.cart)
      break
    case 'order':
      memory.orders.set(line.order.id, line.order)
      break
    case 'note':
      memory.notes.set(line.name, line.value)
      return
    case 'entry':
      break
    default:
      line satisfies never
      return
  }
  if (line.entry !== null) memory.entries.push(line.entry)
}
