import { type Hints, topics } from '../hints/hints.ts'

const repeatMs = 250

export type Waiting<T> = {
  hints: Hints
  aggregateId: string
  timeoutMs: number
  signal: AbortSignal
  probe: () => Promise<T | null>
  /** There cannot be an answer yet. */
  isFresh: boolean
}

/**
 * Asks until there is an answer. It listens before it asks first, so that no hint falls between, and asks again every 250 ms, since
 * hints may be lost.
 */
export async function waitFor<T>({
  hints,
  aggregateId,
  timeoutMs,
  signal,
  probe,
  isFresh,
}: Waiting<T>): Promise<T | null> {
  const endsAtMs = performance.now() + timeoutMs
  let hinted = Promise.withResolvers<void>()
  const unsubscribe = hints.on(topics.aggregate(aggregateId), () => hinted.resolve())
  const wake = () => hinted.resolve()
  signal.addEventListener('abort', wake)
  try {
    for (let isFirst = true; ; isFirst = false) {
      hinted = Promise.withResolvers<void>()
      const answer = isFirst && isFresh ? null : await probe()
      const leftMs = endsAtMs - performance.now()
      if (answer !== null || leftMs <= 0 || signal.aborted) return answer
      const timer = setTimeout(wake, Math.min(repeatMs, leftMs))
      await hinted.promise
      clearTimeout(timer)
    }
  } finally {
    unsubscribe()
    signal.removeEventListener('abort', wake)
  }
}
