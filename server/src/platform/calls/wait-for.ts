import type { HowToWait } from '../../contract/context.ts'
import type { Hints } from '../hints/hints.ts'
import { openWatch } from './watch.ts'

/**
 * How long it waits for a hint before it asks by itself: a hint is lost while the process that would send it has lost its connection.
 * Where ours is lost, hints wake everybody four times a second.
 */
const repeatMs = { first: 250, last: 1_000 }

export type Waiting<T> = HowToWait & {
  hints: Hints
  aggregateId: string
  timeoutMs: number
  signal: AbortSignal
  probe: () => Promise<T | null>
}

/** Asks until there is an answer: after every hint, and at growing intervals. It listens before it asks first, so that no hint falls between. */
export async function waitFor<T>({
  hints,
  aggregateId,
  timeoutMs,
  signal,
  probe,
  isFresh = false,
  quietMs,
}: Waiting<T>): Promise<T | null> {
  const endsAtMs = performance.now() + timeoutMs
  const watch = openWatch({ hints, aggregateId, signal })
  let pauseMs = quietMs ?? repeatMs.first
  try {
    for (let isFirst = true; ; isFirst = false) {
      const answer = isFirst && isFresh ? null : await probe()
      const leftMs = endsAtMs - performance.now()
      if (answer !== null || leftMs <= 0 || signal.aborted) return answer
      await watch.next(Math.min(pauseMs, leftMs))
      pauseMs = quietMs ?? Math.min(pauseMs * 2, repeatMs.last)
    }
  } finally {
    watch.close()
  }
}
