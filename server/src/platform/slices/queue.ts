/** A table whose rows are work. */
export type Queue = {
  readonly kind: string
  readonly table: string
  /** Where not every worker has the means for every row: the row's mode and way of buying, as SQL; empty where it needs neither. */
  readonly mode?: string
  readonly channel?: string
  /** The column that names what an operator knows it by, where that is not the row itself. */
  readonly of?: string
}

/** One `select` for each queue, as one statement. */
export function ofAllQueues(queues: readonly Queue[], select: (queue: Queue) => string): string {
  return queues.map(select).join('\n     union all ')
}
