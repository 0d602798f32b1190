import type { Statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { derivedId } from '../../../platform/ids/derived-id.ts'
import type { WorkKind } from '../../../platform/work/work.ts'
import { readOrdersNamed, readRefundsNamed, readSiblingsOfRefunded } from '../../trade/orders/public.ts'
import { type ClaimedCart, cartLeases, claimNamedCarts } from '../intents/writes.sql.ts'
import { createChannels, type ExecutionDeps } from './channels.ts'
import { type OrderlessAttempt, selectOrderlessAttempts } from './collisions.sql.ts'
import { runCart } from './run-cart.ts'
import { timing } from './timing.ts'

/** A cart whose attempt can never place its order: by the first scheme the order would have the id of another cart's order. */
export type StuckCart = OrderlessAttempt & { order_id: Id<'ord'>; taken_by: Id<'cart'> | null }

/** An order whose next refund would have had the id of another order's refund; nothing of that refund was written. */
export type CollidingRefund = {
  account_id: Id<'acct'>
  order_id: Id<'ord'>
  refund_id: Id<'rfd'>
  taken_by: Id<'ord'>
}

type Read = <Row>(statement: Statement<Row>) => Promise<Row[]>
type Named = { account_id: string; mode: string; id: string }

export async function findStuckCarts(read: Read): Promise<StuckCart[]> {
  const attempts = await read(selectOrderlessAttempts({}))
  const wanted = attempts.map((attempt) => ({
    ...attempt,
    order_id: derivedId(1, 'ord', attempt.cart_id, attempt.attempt),
  }))
  const taken = await readOrdersNamed(read, namesOf(wanted.map((one) => ({ ...one, id: one.order_id }))))
  const byId = new Map(taken.map((order) => [nameOf(order), order]))
  return wanted.flatMap((attempt) => {
    const order = byId.get(nameOf({ ...attempt, id: attempt.order_id }))
    return order && order.cart_id !== attempt.cart_id ? [{ ...attempt, taken_by: order.cart_id }] : []
  })
}

export async function findCollidingRefunds(read: Read): Promise<CollidingRefund[]> {
  const orders = await readSiblingsOfRefunded(read)
  const next = orders.map((order) => ({ ...order, refund_id: derivedId(1, 'rfd', order.id, order.refunds) }))
  const taken = await readRefundsNamed(read, namesOf(next.map((one) => ({ ...one, id: one.refund_id }))))
  const byId = new Map(taken.map((refund) => [nameOf(refund), refund]))
  return next.flatMap(({ account_id, mode, id, refund_id }) => {
    const refund = byId.get(nameOf({ account_id, mode, id: refund_id }))
    return refund ? [{ account_id, order_id: id, refund_id, taken_by: refund.order_id }] : []
  })
}

/**
 * The work that ends stuck carts: the same steps as for any cart, for these carts alone. The steps ask the rail, release what it holds,
 * and fail the attempt; every change is an event by `repair`.
 */
export function repairWork(deps: ExecutionDeps, stuck: readonly StuckCart[]): WorkKind<ClaimedCart> {
  const channels = createChannels(deps)
  const names = namesOf(stuck.map((cart) => ({ ...cart, id: cart.cart_id })))
  return {
    kind: 'repair',
    leaseSeconds: timing.leaseSeconds,
    concurrency: 8,
    claim: ({ limit, lease_seconds }) => claimNamedCarts({ ...names, limit, lease_seconds }),
    ...cartLeases,
    step: (ctx, row) => runCart(ctx, row, channels),
  }
}

/** The names of rows, as the arrays that statements take. */
export function namesOf(rows: readonly Named[]): {
  account_ids: string[]
  modes: string[]
  ids: string[]
} {
  return {
    account_ids: rows.map(({ account_id }) => account_id),
    modes: rows.map(({ mode }) => mode),
    ids: rows.map(({ id }) => id),
  }
}

function nameOf({ account_id, mode, id }: Named): string {
  return `${account_id} ${mode} ${id}`
}
