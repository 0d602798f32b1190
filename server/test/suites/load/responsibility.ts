import type { OpenWork } from './read-trade.ts'

/** A purchase that is not over, with everything that could still move it. Times are those of the database. */
export type OpenPurchase = {
  id: string
  status: string
  due_at: Date | null
  lease_until: Date | null
  approval_expires_at: Date | null
  carts: readonly OpenCart[]
}

export type OpenCart = {
  id: string
  status: string
  stage: string | null
  due_at: Date | null
  lease_until: Date | null
  /** Of a payment token that nobody has used. */
  token_expires_at: Date | null
  effects: readonly { step: string; state: string; heard: string | null }[]
  order: null | {
    id: string
    status: string
    /** Deliveries of `order.requested` that have not arrived. */
    deliveries: readonly { status: string; attempt_count: number; due_at: Date | null }[]
  }
}

/** Who continues it, and by when. */
export type Responsible =
  | { who: 'worker'; by: Date }
  /** The merchant's backend gets the next attempt then, as the schedule of deliveries says. */
  | { who: 'merchant'; by: Date }
  /** Also a listener that only gets events. */
  | { who: 'listener'; by: Date }
  | { who: 'nobody'; why: string }

const graceMs = 60_000

/** Decided from what is stored alone: a due time or a lease that is not long over, or a delivery that is to be attempted again. */
export function responsibleFor(purchase: OpenPurchase, now: Date): Responsible {
  const open = purchase.carts.filter(({ status }) =>
    ['created', 'in_progress', 'awaiting_merchant_auth'].includes(status),
  )
  if (open.length === 0) return workerFor(purchase, now, `${purchase.status} without an open cart`)
  const each = open.map((cart) => responsibleForCart(cart, now))
  return (
    each.find(({ who }) => who === 'nobody') ??
    each.find(({ who }) => who === 'worker') ??
    each[0] ??
    nobody('no cart')
  )
}

function responsibleForCart(cart: OpenCart, now: Date): Responsible {
  const { order, token_expires_at: expiresAt } = cart
  if (expiresAt !== null && expiresAt > now) return { who: 'merchant', by: expiresAt }
  if (order?.status === 'awaiting_confirmation') {
    const [next] = order.deliveries
      .flatMap(({ due_at, attempt_count }) => (due_at !== null && attempt_count > 0 ? [due_at] : []))
      .sort((a, b) => a.getTime() - b.getTime())
    if (next && next.getTime() > now.getTime() - graceMs) return { who: 'merchant', by: next }
    return nobody(`${cart.id} waits for ${order.id}, and no delivery of it to its merchant is due`)
  }
  return workerFor(cart, now, `${cart.id} ${cart.status} in ${cart.stage ?? 'no stage'}`)
}

/** Who continues work that is no purchase. */
export function responsibleForWork(work: OpenWork, now: Date): Responsible {
  const { who, what, due_at } = work
  if (who === 'worker' || due_at === null || due_at <= now) return workerFor(work, now, what)
  return { who, by: due_at }
}

function workerFor(
  row: { due_at: Date | null; lease_until: Date | null },
  now: Date,
  what: string,
): Responsible {
  const { due_at, lease_until } = row
  if (due_at === null) return nobody(`${what} is due at no time`)
  const by = lease_until !== null && lease_until > due_at ? lease_until : due_at
  if (by.getTime() < now.getTime() - graceMs) return nobody(`${what} has been due since ${by.toISOString()}`)
  return { who: 'worker', by }
}

function nobody(why: string): Responsible {
  return { who: 'nobody', why }
}
