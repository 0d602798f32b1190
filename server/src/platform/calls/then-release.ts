import type { HeldSlots } from '../limits/slots.ts'
import type { Outcome } from './outcome.ts'

/** What is still written when the call has ended holds what the call took; a stream, which has places of its own, but the one of a request. */
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
 * The same values, and `release` once it is over: at its end, at a failure, or when whoever reads leaves, even before the first. A
 * generator's own `finally` is not reached where reading never began.
 */
export function thenRelease<T>(source: AsyncIterable<T>, release: () => void): AsyncIterable<T> {
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
