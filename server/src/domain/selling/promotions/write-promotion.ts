import type { ActingContext, CallContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import { next } from '../../../core/state-table.ts'
import type { promotionEvents } from './events.ts'
import { movesByTime, nextMoveAt, type PromotionTrigger, promotionTable } from './machine.ts'
import { type Promotion, type PromotionRow, renderPromotion } from './promotion.ts'
import { lockPromotion, type PromotionWrite, updatePromotionRow } from './promotions.sql.ts'

export type PromotionEvent = keyof typeof promotionEvents

/** A row as its statements take it. */
export function writeOf(row: PromotionRow): PromotionWrite {
  const { uses: _, discount_amount: __, arms, caps, targets, metadata, ...rest } = row
  return {
    ...rest,
    arms: JSON.stringify(arms),
    caps: JSON.stringify(caps),
    targets: JSON.stringify(targets),
    metadata: JSON.stringify(metadata),
  }
}

/** A promotion after a change, and as it is shown. */
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
  // Of two changes in one transaction the second writes the row.
  ctx.tx.write(updatePromotionRow(writeOf(timed)), `promotion ${row.id}`)
  const promotion = renderPromotion(timed, ctx.now)
  ctx.tx.emit({ type, aggregateId: row.id, sequence: timed.seq, object: promotion })
  ctx.tx.wake('promotions')
  return { row: timed, promotion }
}

/** Writes down what time has moved, move by move; whoever comes first does it, a worker or a caller. */
export function moveByTime(ctx: ActingContext, row: PromotionRow): PromotionRow {
  return movesByTime(row, ctx.now).reduce(
    (moved, move) =>
      move === 'start'
        ? changePromotion(ctx, moved, { status: 'active' }, 'promotion.started').row
        : changePromotion(ctx, moved, { status: 'ended', ended_at: row.ends_at }, 'promotion.ended').row,
    row,
  )
}

/** The promotion, held, as it is at this moment. */
export async function lockPromotionNow(ctx: CallContext, id: string): Promise<PromotionRow> {
  const { accountId, mode } = ctx.tenant
  const row = await ctx.tx.maybe(lockPromotion({ account_id: accountId, mode, id }))
  if (!row) throw new Problem('not_found', { param: 'promotion_id' })
  return moveByTime(ctx, row)
}

/** One move that a caller asks for. A promotion that is there already stays as it is; one that cannot go there says what it is. */
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
