const windowMs = 60_000
const addressesMax = 20_000

type Guesses = { count: number; untilMs: number }

/** How many unknown keys each address has tried in its minute. */
export type KeyGuesses = {
  isSpent(address: string): boolean
  /** Before the key is looked up, so that many at once count as many. */
  begin(address: string): void
  /** It was none: the key exists. */
  takeBack(address: string): void
  /** Until when, in seconds, what is spent stays so. */
  secondsLeft(address: string): number
}

export const guessWindowSeconds = windowMs / 1000

export function createKeyGuesses(max: number, now: () => number = () => performance.now()): KeyGuesses {
  const byAddress = new Map<string, Guesses>()

  function current(address: string): Guesses | null {
    const guesses = byAddress.get(address)
    if (guesses && guesses.untilMs > now()) return guesses
    if (guesses) byAddress.delete(address)
    return null
  }

  return {
    isSpent: (address) => (current(address)?.count ?? 0) >= max,
    begin(address) {
      const guesses = current(address)
      if (guesses) {
        guesses.count += 1
        return
      }
      // The oldest is the first whose minute ends.
      const [oldest] = byAddress.size >= addressesMax ? byAddress.keys() : []
      if (oldest !== undefined) byAddress.delete(oldest)
      byAddress.set(address, { count: 1, untilMs: now() + windowMs })
    },
    takeBack(address) {
      const guesses = current(address)
      if (guesses && guesses.count > 0) guesses.count -= 1
    },
    secondsLeft: (address) => ((current(address)?.untilMs ?? now()) - now()) / 1000,
  }
}
