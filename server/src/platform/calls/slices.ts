import { setImmediate as turn } from 'node:timers/promises'
import { busy } from '../../contract/limits.ts'

/** How long others wait at most for computing that one call does in one go. */
const sliceMs = 15

export type SlicesOptions = {
  /** What all slices together may take; beyond it the call is refused as `busy`. */
  cpuMsMax: number
  /** The monotonic clock, and how the event loop is given back; tests have their own. */
  nowMs?: () => number
  yieldTurn?: () => Promise<unknown>
}

/** Computing of one call that may take long: in slices that give the event loop back, so many at most. Changes nothing, so it can be refused midway. */
export class Slices {
  readonly #cpuMsMax: number
  readonly #nowMs: () => number
  readonly #yieldTurn: () => Promise<unknown>
  #spentMs = 0

  constructor({ cpuMsMax, nowMs = () => performance.now(), yieldTurn = () => turn() }: SlicesOptions) {
    this.#cpuMsMax = cpuMsMax
    this.#nowMs = nowMs
    this.#yieldTurn = yieldTurn
  }

  /** Does `work` for each; one that takes longer than a slice by itself is its own slice. */
  async each<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
    let sinceMs = this.#nowMs()
    for (const item of items) {
      work(item)
      const usedMs = this.#nowMs() - sinceMs
      if (usedMs < sliceMs) continue
      this.#spend(usedMs)
      await this.#yieldTurn()
      sinceMs = this.#nowMs()
    }
    this.#spend(this.#nowMs() - sinceMs)
  }

  #spend(ms: number): void {
    this.#spentMs += ms
    if (this.#spentMs > this.#cpuMsMax) throw busy()
  }
}
