import type { ActingContext, CallContext } from '../../contract/context.ts'
import { Problem } from '../../contract/problem.ts'
import { next } from '../../core/state-table.ts'
import { nextMoveAt, type PromotionTrigger, promotionTable, statusAt } from './machine.ts'
import { type Promotion, type PromotionRow, renderPromotion } from './promotion.ts'
import { lockPromotion, type PromotionWrite, updatePromotionRow } from './promotions.sql.ts'

export type PromotionEvent =
  | 'promotion.created'
  | 'promotion.updated'
  | 'promotion.published'
  | 'promotion.started'
  | 'promotion.paused'
  | 'promotion.resumed'
  | 'promotion.ended'
  | 'promotion.archived'

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

/** Writes a locked promotion's changes and one event for each of `types`. */
export function changePromotion(
  ctx: ActingContext,
  row: PromotionRow,
  changes: Partial<PromotionRow>,
  types: readonly PromotionEvent[],
): Promotion {
  const changed = { ...row, ...changes, seq: row.seq + types.length, updated_at: ctx.now }
  changed.due_at = nextMoveAt(changed)
  ctx.tx.write(updatePromotionRow(writeOf(changed)))
  const promotion = renderPromotion(changed, ctx.now)
  types.forEach((type, index) => {
    ctx.tx.emit({ type, aggregateId: row.id, sequence: row.seq + index + 1, object: promotion })
  })
  ctx.tx.wake('promotions')
  return promotion
}

/** The promotion, held, as it is at this moment: what time has moved and nobody has written down yet is taken as moved. */
export async function holdPromotion(ctx: CallContext, id: string): Promise<PromotionRow> {
  const { accountId, mode } = ctx.tenant
  const row = await ctx.tx.maybe(lockPromotion({ account_id: accountId, mode, id }))
  if (!row) throw new Problem('not_found', { param: 'promotion_id' })
  const status = statusAt(row, ctx.now)
  return { ...row, status, ended_at: status === 'ended' ? (row.ended_at ?? row.ends_at) : row.ended_at }
}

/** One move that a caller asks for. A promotion that is there already stays as it is; one that cannot go there says what it is. */
export async function movePromotion(
  ctx: CallContext,
  id: string,
  move: { trigger: PromotionTrigger; type: PromotionEvent; changes?: Partial<PromotionRow> },
): Promise<Promotion> {
  const row = await holdPromotion(ctx, id)
  const target = next(promotionTable, row.status, move.trigger)
  if (target === null) {
    if (row.status === targets[move.trigger]) return renderPromotion(row, ctx.now)
    throw stateConflict(row)
  }
  return changePromotion(ctx, row, { ...move.changes, status: target }, [move.type])
}

export function stateConflict({ status }: PromotionRow): Problem {
  return new Problem('promotion_state_conflict', {
    message: `The promotion is ${status}, and cannot go there from that.`,
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
