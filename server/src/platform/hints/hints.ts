/**
 * Wake-ups between processes: "rows of this topic may be due". Only hints; whoever waits also polls slowly, so a lost one costs
 * time and nothing else. Published after a commit, never inside a transaction.
 */
export interface Hints {
  /** What is awaited goes to other processes at once; other hints may wait a moment for company. */
  publish(topic: string, how?: { isAwaited: boolean }): void
  /** Returns the way to unsubscribe. */
  on(topic: string, listener: () => void): () => void
}

export const topics = {
  relay: (shard: number) => `relay:${shard}`,
  work: (kind: string) => `work:${kind}`,
  aggregate: (aggregateId: string) => `aggregate:${aggregateId}`,
  keys: 'keys',
  clock: 'clock',
} as const

/** Somebody may watch it; nobody's work waits for it. */
export function isForWatchers(topic: string): boolean {
  return topic.startsWith('aggregate:')
}
