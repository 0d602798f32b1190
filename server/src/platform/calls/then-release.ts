import type { HeldSlots } from '../limits/slots.ts'
import type { Sent } from './refusal.ts'

/** What is still written when the call has ended holds what the call took; a stream, which has places of its own, but the one of a request. */
export function untilSent<A extends Sent>(answer: A, held: HeldSlots): A {
  const release = () => held.releaseAll()
  if (answer.stream) {
    held.release('requests')
    return { ...answer, stream: thenRelease(answer.stream, release) }
  }
  if (answer.download) {
    const download = thenRelease(answer.download.download, release)
    return { ...answer, download: { ...answer.download, download } }
  }
  release()
  return answer
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
