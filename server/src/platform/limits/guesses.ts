const windowMs = 60_000
const callersMax = 20_000

/** How many wrong guesses each caller has made in its minute, in this process. */
export class Guesses {
  readonly #max: number
  readonly #now: () => number
  readonly #byCaller = new Map<string, { count: number; untilMs: number }>()

  constructor(max: number, now: () => number = () => performance.now()) {
    this.#max = max
    this.#now = now
  }

  /** Counts one more; answers how many seconds the caller has to wait where those were too many, else null. */
  count(caller: string): number | null {
    const now = this.#now()
    const known = this.#byCaller.get(caller)
    if (known && known.untilMs > now) {
      known.count += 1
      return known.count > this.#max ? Math.ceil((known.untilMs - now) / 1000) : null
    }
    this.#byCaller.delete(caller)
    // Whose minute began first is the first that is forgotten.
    const [oldest] = this.#byCaller.size >= callersMax ? this.#byCaller.keys() : []
    if (oldest !== undefined) this.#byCaller.delete(oldest)
    this.#byCaller.set(caller, { count: 1, untilMs: now + windowMs })
    return null
  }
}
