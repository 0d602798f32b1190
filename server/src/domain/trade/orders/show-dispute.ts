import type { ActingContext } from '../../../contract/context.ts'
import { toWire } from '../../../core/money.ts'
import type { OrderChangeType } from './events.ts'
import type { OrderRow, ShownDispute } from './order.ts'
import { lockOrder } from './orders.sql.ts'
import { reviseLockedOrder } from './write-order.ts'

/** A dispute as the rail has it. `id`: its name there. */
type ToldDispute = Pick<ShownDispute, 'id' | 'status' | 'outcome'> & {
  readonly amount: bigint
  readonly dueBy: Date | null
}

/** Shows a dispute at the order of `ctx.tenant` that it is about. The payment stays as it is, and so does what was spent under policies. */
export async function showDispute(ctx: ActingContext, orderId: string, told: ToldDispute): Promise<void> {
  const { accountId: account_id, mode } = ctx.tenant
  const order = await ctx.tx.maybe(lockOrder({ account_id, mode, id: orderId }))
  if (order === null) throw new Error('a dispute of an order that is not there')
  const types = changesBy(order, told)
  if (types.length > 0) reviseLockedOrder(ctx, order, { dispute: shown(told) }, types)
}

function changesBy({ dispute: before }: Pick<OrderRow, 'dispute'>, told: ToldDispute): OrderChangeType[] {
  const isOver = told.status === 'closed'
  if (before?.id !== told.id) {
    // One that is open is shown before any other.
    if (before !== null && before.status !== 'closed') return []
    // An old one that is told of again, after a newer one.
    if (before !== null && isOver) return []
    return isOver ? ['order.dispute_opened', 'order.dispute_closed'] : ['order.dispute_opened']
  }
  const { status, amount, due_by, outcome } = shown(told)
  const isSame =
    before.status === status &&
    before.amount === amount &&
    before.due_by === due_by &&
    before.outcome === outcome
  if (isSame) return []
  return [isOver ? 'order.dispute_closed' : 'order.dispute_updated']
}

function shown({ id, status, amount, dueBy, outcome }: ToldDispute): ShownDispute {
  return { id, status, amount: toWire(amount), due_by: dueBy?.toISOString() ?? null, outcome }
}
