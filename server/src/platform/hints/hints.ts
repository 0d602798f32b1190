/**
 * Wake-ups between processes: "rows of this topic may be due". They are only hints; every waiting process also polls slowly, so a lost
 * hint costs time and nothing else. They are published after a commit, never inside a transaction.
 */
export interface Hints {
  /** A hint that somebody waits for goes to other processes at once; other hints may wait a moment to be sent together. */
  publish(topic: string, how?: { isAwaited: boolean }): void
  /** Returns the function that unsubscribes. */
  on(topic: string, listener: () => void): () => void
}

export const topics = {
  relay: (shard: number) => `relay:${shard}`,
  work: (kind: string) => `work:${kind}`,
  aggregate: (aggregateId: string) => `aggregate:${aggregateId}`,
  keys: 'keys',
  clock: 'clock',
} as const

/** Whether only watchers use the topic, and no work waits for it. */
export function isForWatchers(topic: string): boolean {
  return topic.startsWith('aggregate:')
}
