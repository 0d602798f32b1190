import type { ActingContext, CallContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import { next } from '../../../core/state-table.ts'
import type { promotionEvents } from './events.ts'
import { movesByTime, nextMoveAt, type PromotionTrigger, promotionTable } from './machine.ts'
import { type Promotion, type PromotionRow, renderPromotion } from './promotion.ts'
import { lockPromotion, updatePromotionRow } from './promotions.sql.ts'

type PromotionEvent = keyof typeof promotionEvents

/** A changed promotion, as a row and as it is shown. */
type Changed = { readonly row: PromotionRow; readonly promotion: Promotion }

/** Writes a locked promotion's changes and their event. */
export function changePromotion(
  ctx: ActingContext,
  row: PromotionRow,
  changes: Partial<PromotionRow>,
  type: PromotionEvent,
): Changed {
  const changed = { ...row, ...changes, seq: row.seq + 1, updated_at: ctx.now }
  const timed = { ...changed, due_at: nextMoveAt(changed) }
  // Of two changes in one transaction, only the second writes the row.
  ctx.tx.write(updatePromotionRow(timed), `promotion ${row.id}`)
  const promotion = renderPromotion(timed, ctx.now)
  ctx.tx.emit({ type, aggregateId: row.id, sequence: timed.seq, object: promotion })
  ctx.tx.wake('promotions')
  return { row: timed, promotion }
}

/** Writes down the moves that time has made, one by one; the first worker or call that looks at the promotion does it. */
export function moveByTime(ctx: ActingContext, row: PromotionRow): PromotionRow {
  return movesByTime(row, ctx.now).reduce(
    (moved, move) =>
      move === 'start'
        ? changePromotion(ctx, moved, { status: 'active' }, 'promotion.started').row
        : changePromotion(ctx, moved, { status: 'ended', ended_at: row.ends_at }, 'promotion.ended').row,
    row,
  )
}

/** The promotion, locked, with its status of this moment. */
export async function lockPromotionNow(ctx: CallContext, id: string): Promise<PromotionRow> {
  const { accountId, mode } = ctx.tenant
  const row = await ctx.tx.maybe(lockPromotion({ account_id: accountId, mode, id }))
  if (!row) throw new Problem('not_found', { param: 'promotion_id' })
  return moveByTime(ctx, row)
}

/**
 * One move that a caller requests. A promotion that is in that state already stays as it is; one that cannot move there is refused with
 * its status.
 */
export async function movePromotion(
  ctx: CallContext,
  id: string,
  move: { trigger: PromotionTrigger; type: PromotionEvent; changes?: Partial<PromotionRow> },
): Promise<Promotion> {
  const row = await lockPromotionNow(ctx, id)
  const target = next(promotionTable, row.status, move.trigger)
  if (target === null) {
    if (row.status === targets[move.trigger]) return renderPromotion(row, ctx.now)
    throw stateConflict(row)
  }
  return changePromotion(ctx, row, { ...move.changes, status: target }, move.type).promotion
}

export function stateConflict({ status }: PromotionRow): Problem {
  return new Problem('promotion_state_conflict', {
    message: `The promotion is ${status}, which does not allow this.`,
  })
}

const targets = {
  schedule: 'scheduled',
  start: 'active',
  pause: 'paused',
  resume: 'active',
  end: 'ended',
  archive: 'archived',
} as const satisfies Record<PromotionTrigger, PromotionRow['status']>
