import type { Watch } from '../../contract/context.ts'
import { type Hints, topics } from '../hints/hints.ts'

/** Listens until it is closed; what happens between two waits ends the next one at once. */
export function openWatch({
  hints,
  aggregateId,
  signal,
}: {
  hints: Hints
  aggregateId: string
  signal: AbortSignal
}): Watch {
  const openedAtMs = performance.now()
  let hasHappened = signal.aborted
  let wake: (() => void) | null = null
  const happen = () => {
    hasHappened = true
    wake?.()
  }
  const unsubscribe = hints.on(topics.aggregate(aggregateId), happen)
  signal.addEventListener('abort', happen)
  return {
    next(timeoutMs) {
      return new Promise((resolve) => {
        // A timer rings up to a millisecond early; whoever comes back for the rest of it looks once for nothing.
        const timer = setTimeout(end, Math.max(0, Math.ceil(timeoutMs)) + 1)
        function end() {
          clearTimeout(timer)
          wake = null
          // What was aborted stays so.
          hasHappened = signal.aborted
          resolve()
        }
        if (hasHappened) end()
        else wake = end
      })
    },
    elapsedMs: () => performance.now() - openedAtMs,
    close() {
      unsubscribe()
      signal.removeEventListener('abort', happen)
      wake?.()
    },
  }
}
