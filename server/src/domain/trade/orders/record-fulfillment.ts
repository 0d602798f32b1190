import type { CallContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import { decideFulfillment } from './decide-fulfillment.ts'
import type { OrderRow } from './order.ts'
import { reviseLockedOrder } from './write-order.ts'

/** What is said about a shipment of a locked order, written down with its events. Throws the refusal. */
export function recordFulfillment(
  ctx: CallContext,
  order: OrderRow,
  said: Parameters<typeof decideFulfillment>[1],
): { readonly row: OrderRow; readonly isNew: boolean } {
  const decided = decideFulfillment(order, said, { id: ctx.newId('ful'), now: ctx.now })
  if (!decided.ok) {
    throw decided.refusal === 'not_found'
      ? new Problem('not_found', { param: 'fulfillment_id' })
      : new Problem(decided.refusal)
  }
  if (decided.value === 'same') return { row: order, isNew: false }
  const { isNew, ...changes } = decided.value
  const isCompleted = changes.status === 'completed' && order.status !== 'completed'
  const { row } = reviseLockedOrder(ctx, order, changes, [
    'order.fulfillment_updated',
    ...(isCompleted ? (['order.completed'] as const) : []),
  ])
  return { row, isNew }
}
