import { rateLimited } from '../../contract/limit-refusals.ts'
import type { Problem } from '../../contract/problem.ts'

const windowMs = 60_000
const addressesMax = 20_000

/** How many objects that do not exist each address has asked for in its minute, in this process. */
export type Guesses = {
  isSpent(address: string): boolean
  /** Call it before the lookup, so that many at once count as many. */
  begin(address: string): void
  /** It was not a guess: the object exists. */
  forgive(address: string): void
  /** In how many seconds the address may guess again. */
  secondsLeft(address: string): number
  /** The refusal of an address that may not guess any more for now. */
  refusal(address: string): Problem
}

export function createGuesses(max: number, now: () => number = () => performance.now()): Guesses {
  const byAddress = new Map<string, { count: number; untilMs: number }>()

  function current(address: string) {
    const guesses = byAddress.get(address)
    if (guesses && guesses.untilMs > now()) return guesses
    if (guesses) byAddress.delete(address)
    return null
  }

  const secondsLeft = (address: string) => ((current(address)?.untilMs ?? now()) - now()) / 1000

  return {
    isSpent: (address) => (current(address)?.count ?? 0) >= max,
    begin(address) {
      const guesses = current(address)
      if (guesses) {
        guesses.count += 1
        return
      }
      // The oldest entry is the first whose minute ends.
      const [oldest] = byAddress.size >= addressesMax ? byAddress.keys() : []
      if (oldest !== undefined) byAddress.delete(oldest)
      byAddress.set(address, { count: 1, untilMs: now() + windowMs })
    },
    forgive(address) {
      const guesses = current(address)
      if (guesses && guesses.count > 0) guesses.count -= 1
    },
    secondsLeft,
    refusal: (address) =>
      rateLimited({
        scope: 'ip',
        limit: max,
        windowSeconds: windowMs / 1000,
        retryAfterSeconds: secondsLeft(address),
      }),
  }
}
