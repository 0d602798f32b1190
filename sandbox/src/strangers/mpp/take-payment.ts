import { createHash } from 'node:crypto'
import { type Desk, freshCart } from '../shop/desk.ts'
import type { Order } from '../shop/memory.ts'
import { openOrder, payOrder } from '../shop/place-order.ts'
import type { Priced } from '../shop/price-cart.ts'
import { type Challenge, termsOf } from './challenge.ts'

/** A method by which the shop is paid, and the member of the payload that pays. */
export const methods = { processor: 'token', stripe: 'spt' } as const

export type Method = keyof typeof methods

export type Payment =
  | { kind: 'paid'; reference: string; isRepeated: boolean }
  | { kind: 'declined'; code: string }
  | { kind: 'used' }

type Paying = { api: string; challenge: Challenge; method: Method; token: string; asksMore: number }

const underWay = new WeakMap<Desk, Map<string, Promise<Payment>>>()

/**
 * Each challenge is paid once: the same credential once more is told what became of it, and another is turned away. The order of a
 * challenge stands in the shop's book before any money.
 */
export async function takePayment(desk: Desk, paying: Paying): Promise<Payment> {
  const { challenge, token } = paying
  const running = underWay.get(desk) ?? new Map<string, Promise<Payment>>()
  underWay.set(desk, running)
  await running.get(challenge.id)
  const hash = createHash('sha256').update(token).digest('base64url')
  const note = `paid:${challenge.id}`
  const before = desk.memory.notes.get(note)
  if (before !== undefined) {
    const [usedHash, orderId = ''] = before.split(' ')
    const order = desk.memory.orders.get(orderId)
    if (usedHash !== hash || order === undefined) return { kind: 'used' }
    if (order.state === 'paid') return { kind: 'paid', reference: order.number, isRepeated: true }
    // Nobody knows what came of it: the same keys find out.
    if (order.state === 'charging') return settle(desk, order, paying)
    return { kind: 'declined', code: order.state }
  }
  const working = open(desk, paying, (orderId) =>
    desk.memory.commit({ kind: 'note', name: note, value: `${hash} ${orderId}` }),
  ).then((order) => settle(desk, order, paying))
  running.set(challenge.id, working)
  try {
    return await working
  } finally {
    running.delete(challenge.id)
  }
}

/** The order stands in the book, and the challenge is claimed for it, before any money. */
async function open(
  desk: Desk,
  { api, challenge, asksMore }: Paying,
  claim: (orderId: string) => void,
): Promise<Order> {
  const { amount, currency } = termsOf(challenge)
  const priced: Priced = {
    currency: currency.toUpperCase(),
    lines: [{ sku: api, name: api, unit: amount, quantity: 1, amount }],
    subtotal: amount,
    discount: 0,
    delivery: null,
    fee: null,
    tax: null,
    total: amount,
  }
  const cart = { ...freshCart(null), id: challenge.id, lines: [{ sku: api, quantity: 1 }] }
  const placing = { cart, priced, amount: amount + asksMore }
  const opening = openOrder(desk, { ...placing, method: 'token' })
  // The book has it already, and the disk is waited for below.
  claim(desk.memory.carts.get(challenge.id)?.orderId ?? '')
  return opening
}

async function settle(desk: Desk, order: Order, { method, token }: Paying): Promise<Payment> {
  const means = method === 'stripe' ? { sharedToken: token } : { token }
  const { order: paid, code } = await payOrder(desk, order, means)
  return code === null
    ? { kind: 'paid', reference: paid.number, isRepeated: false }
    : { kind: 'declined', code }
}
