import type { HowToWait } from '../../contract/context.ts'
import type { Hints } from '../hints/hints.ts'
import { openWatch } from './watch.ts'

/**
 * How long it waits for a hint before it asks without one. A hint is lost while the process that would send it has no connection. Where
 * our own connection is lost, hints wake everybody four times a second.
 */
const repeatMs = { first: 250, last: 1_000 }

type Waiting<T> = HowToWait & {
  hints: Hints
  aggregateId: string
  timeoutMs: number
  signal: AbortSignal
  probe: () => Promise<T | null>
  /** The milliseconds that it waited are added here. */
  waited: { ms: number }
}

/**
 * Asks until there is an answer: after every hint, and at growing intervals. It listens before it asks for the first time, so that no
 * hint is missed in between.
 */
export async function waitFor<T>({
  hints,
  aggregateId,
  timeoutMs,
  signal,
  probe,
  isFresh = false,
  quietMs,
  waited,
}: Waiting<T>): Promise<T | null> {
  const fromMs = performance.now()
  const endsAtMs = fromMs + timeoutMs
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
    waited.ms += performance.now() - fromMs
  }
}
