import type { Watch } from '../../contract/context.ts'
import { type Hints, topics } from '../hints/hints.ts'

/** Waits from this length on end at whole seconds, a little early. */
const longMs = 5_000
const wholeMs = 1_000

/** Listens until it is closed; a hint between two waits ends the next wait at once. */
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
        // A timer can fire up to a millisecond early. A caller that waits for the rest would look once for nothing.
        const timer = setTimeout(end, Math.max(0, Math.ceil(together(timeoutMs))) + 1)
        function end() {
          clearTimeout(timer)
          wake = null
          resolve(hasHappened)
          // A signal that was aborted stays aborted.
          hasHappened = signal.aborted
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

/** Streams that wait for long wake together: to wake a process costs more than what each of them then does. */
function together(timeoutMs: number): number {
  return timeoutMs < longMs ? timeoutMs : timeoutMs - ((performance.now() + timeoutMs) % wholeMs)
}
