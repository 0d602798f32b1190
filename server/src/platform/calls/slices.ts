import { setImmediate as turn } from 'node:timers/promises'
import { busy } from '../../contract/limit-refusals.ts'

/** How many milliseconds others wait at most while one call computes without a pause. */
const sliceMs = 15

type SlicesOptions = {
  /** How much time all slices together may take; beyond it the call is refused as `busy`. */
  cpuMsMax: number
  /** The monotonic clock, and the function that gives the event loop back; tests have their own. */
  nowMs?: () => number
  yieldTurn?: () => Promise<unknown>
}

/**
 * Runs a long computation of one call in slices that give the event loop back, with a limit for all slices. The computation changes
 * nothing, so it can be refused midway.
 */
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

  /** Does `work` for each item; an item that takes longer than a slice is a slice of its own. */
  async each<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
    let sinceMs = this.#nowMs()
    for (const item of items) {
      work(item)
      const usedMs = this.#nowMs() - sinceMs
      if (usedMs < sliceMs) continue
      this.#spend(usedMs)
      // guard slices-give-back: long computing lets others go on
      await this.#yieldTurn()
      sinceMs = this.#nowMs()
    }
    this.#spend(this.#nowMs() - sinceMs)
  }

  #spend(ms: number): void {
    this.#spentMs += ms
    // guard slices-end: computing of one call has an upper bound
    if (this.#spentMs > this.#cpuMsMax) throw busy()
  }
}
