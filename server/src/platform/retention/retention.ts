/** For how many days something is kept that has served its time. */
export type Retention = {
  /** Idempotency keys and what they were answered with. */
  readonly idempotencyDays: number
  /** Deliveries that have ended, with their attempts. */
  readonly deliveriesDays: number
  /** What work leaves behind that has ended. */
  readonly finishedWorkDays: number
}

export const defaultRetention: Retention = { idempotencyDays: 30, deliveriesDays: 90, finishedWorkDays: 7 }

const dayMs = 86_400_000

export function keptSince(days: number, now: Date): Date {
  return new Date(now.getTime() - days * dayMs)
}
