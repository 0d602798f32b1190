/** How many days rows are kept after their time is over. */
export type Retention = {
  /** Idempotency keys and their answers. */
  readonly idempotencyDays: number
  /** Deliveries that have ended, with their attempts. */
  readonly deliveriesDays: number
  /** What is left of work that has ended. */
  readonly finishedWorkDays: number
  /** What searches have shown. */
  readonly attributionDays: number
  /** What merchants answered to paid requests. */
  readonly resultDays: number
  /** Pictures of the pages that carts were bought on. */
  readonly evidenceDays: number
  /** Chats, from the last message on. */
  readonly chatDays: number
  /** Ids of messages about orders that came from merchants elsewhere. */
  readonly messageDays: number
}

export const defaultRetention: Retention = {
  idempotencyDays: 30,
  deliveriesDays: 90,
  finishedWorkDays: 7,
  attributionDays: 90,
  resultDays: 30,
  evidenceDays: 30,
  chatDays: 365,
  messageDays: 30,
}

const dayMs = 86_400_000

export function keptSince(days: number, now: Date): Date {
  return new Date(now.getTime() - days * dayMs)
}
