/** When a source is left out for a while, and for how long. */
export const circuitPace = {
  /** So many questions in a row have failed. */
  failuresMax: 3,
  openMs: 30_000,
  openMsMax: 600_000,
  /** The oldest is forgotten first. */
  sourcesMax: 1_000,
} as const

type Failing = { count: number; openUntilMs: number; openMs: number }

/**
 * Leaves out sources that fail again and again, so that nobody waits for them: in this process alone, and only those that fail are
 * remembered. When the time is over one question finds out.
 */
export class SourceCircuit {
  readonly #failing = new Map<string, Failing>()
  readonly #nowMs: () => number

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** Whether it may be asked now. */
  enter(id: string): boolean {
    const failing = this.#failing.get(id)
    if (!failing || failing.count < circuitPace.failuresMax) return true
    if (this.#nowMs() < failing.openUntilMs) return false
    // The others wait for what this question finds out.
    failing.openUntilMs = this.#nowMs() + failing.openMs
    return true
  }

  leave(id: string, hasAnswered: boolean): void {
    const before = this.#failing.get(id)
    this.#failing.delete(id)
    if (hasAnswered) return
    const count = (before?.count ?? 0) + 1
    const openMs = Math.min(
      before && before.openMs > 0 ? before.openMs * 2 : circuitPace.openMs,
      circuitPace.openMsMax,
    )
    const isOpen = count >= circuitPace.failuresMax
    this.#failing.set(id, {
      count,
      openMs: isOpen ? openMs : 0,
      openUntilMs: isOpen ? this.#nowMs() + openMs : 0,
    })
    for (const oldest of this.#failing.keys()) {
      if (this.#failing.size <= circuitPace.sourcesMax) break
      this.#failing.delete(oldest)
    }
  }
}
