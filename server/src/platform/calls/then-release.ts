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
