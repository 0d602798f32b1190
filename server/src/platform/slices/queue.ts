/** A table whose rows are work. */
export type Queue = {
  readonly kind: string
  readonly table: string
  /** Where a row needs means that not every worker has: its mode and its way of buying, as SQL; empty where it needs none. */
  readonly mode?: string
  readonly channel?: string
  /** The column with the id under which an operator knows it, where that is not the row's own. */
  readonly of?: string
}

/** One `select` for each queue, as one statement. */
export function ofAllQueues(queues: readonly Queue[], select: (queue: Queue) => string): string {
  return queues.map(select).join('\n     union all ')
}
