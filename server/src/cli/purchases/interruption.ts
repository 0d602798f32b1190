import { CommandFailure } from '../failure.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Within this time a second signal is the same request: `npm exec` hands on what the terminal has sent already. */
const sameRequestMs = 1_000

/**
 * Ctrl-C, the end of the terminal and a request to end: what waits ends with them, and what was begun can be put in order first. Who
 * does not want to wait for that repeats it.
 */
export type Interruption = {
  /** Ends with the work, or with the signal. */
  race<T>(work: Promise<T>): Promise<T>
  /** Fails where a signal has come during something that was not to be broken off. */
  check(): void
  /** Once a signal has come, its repetitions must not cut off what is told about it: then nothing is released. */
  release(): void
}

export function interruption(): Interruption {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => undefined) // it is told where somebody waits
  let failure: CommandFailure | null = null
  let firstMs = 0
  const onSignal = () => {
    if (failure !== null) {
      if (performance.now() - firstMs > sameRequestMs) process.exit(1)
      return
    }
    firstMs = performance.now()
    failure = new CommandFailure('The command was interrupted.')
    reject(failure)
  }
  for (const signal of signals) process.on(signal, onSignal)
  return {
    race: (work) => Promise.race([work, promise]),
    check() {
      if (failure) throw failure
    },
    release() {
      if (failure !== null) return
      for (const signal of signals) process.off(signal, onSignal)
    },
  }
}
