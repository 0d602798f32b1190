import type { StateTable } from '../../../core/state-table.ts'

export const promotionStatuses = ['draft', 'scheduled', 'active', 'paused', 'ended', 'archived'] as const
export type PromotionStatus = (typeof promotionStatuses)[number]

/** Publishing is `schedule` for a promotion whose beginning is in the future, and otherwise `start`. */
export type PromotionTrigger = 'schedule' | 'start' | 'pause' | 'resume' | 'end' | 'archive'

export const promotionTable = {
  draft: { schedule: 'scheduled', start: 'active', archive: 'archived' },
  scheduled: { start: 'active', end: 'ended' },
  active: { pause: 'paused', end: 'ended' },
  paused: { resume: 'active', end: 'ended' },
  ended: { archive: 'archived' },
  archived: {},
} as const satisfies StateTable<PromotionStatus, PromotionTrigger>

type Timed = {
  readonly status: PromotionStatus
  readonly starts_at: Date | null
  readonly ends_at: Date | null
}

/** The moves that time makes, and that are due: a promotion that was not looked at for long may have to make two. */
export function movesByTime(row: Timed, now: Date): ('start' | 'end')[] {
  const isBegun = row.starts_at !== null && row.starts_at <= now
  const isOver = row.ends_at !== null && row.ends_at <= now
  switch (row.status) {
    case 'scheduled':
      if (isOver) return isBegun ? ['start', 'end'] : ['end']
      return isBegun ? ['start'] : []
    case 'active':
    case 'paused':
      return isOver ? ['end'] : []
    case 'draft':
    case 'ended':
    case 'archived':
      return []
    default:
      return row.status satisfies never
  }
}

/** The status of a promotion at this moment, even if it is written down late: a promotion whose end has passed is never applied. */
export function statusAt(row: Timed, now: Date): PromotionStatus {
  const last = movesByTime(row, now).at(-1)
  if (last === undefined) return row.status
  return last === 'end' ? 'ended' : 'active'
}

/** When time makes its next move. */
export function nextMoveAt(row: Timed): Date | null {
  if (row.status === 'scheduled') return row.starts_at
  return row.status === 'active' || row.status === 'paused' ? row.ends_at : null
}
