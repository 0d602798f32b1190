import type { HeldSlots } from '../limits/slots.ts'
import type { Outcome } from './outcome.ts'

/**
 * An answer that is still being written when its call has ended keeps the places of the call. A stream has places of its own, so it gives
 * back the call's place for requests.
 */
export function untilSent(outcome: Outcome, held: HeldSlots): Outcome {
  const release = () => held.releaseAll()
  if (outcome.kind === 'stream') {
    held.release('requests')
    return { ...outcome, stream: thenRelease(outcome.stream, release) }
  }
  if (outcome.kind === 'download') {
    const download = thenRelease(outcome.download.download, release)
    return { ...outcome, download: { ...outcome.download, download } }
  }
  release()
  return outcome
}

/**
 * Gives the same values, and calls `release` when the iteration is over: at its end, at a failure, or when the reader leaves, even before
 * the first value. A generator's own `finally` does not run when reading never began.
 */
function thenRelease<T>(source: AsyncIterable<T>, release: () => void): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const values = source[Symbol.asyncIterator]()
      return {
        async next() {
          try {
            const step = await values.next()
            if (step.done) release()
            return step
          } catch (error) {
            release()
            throw error
          }
        },
        async return() {
          try {
            await values.return?.()
          } finally {
            release()
          }
          return { done: true, value: undefined }
        },
      }
    },
  }
}
