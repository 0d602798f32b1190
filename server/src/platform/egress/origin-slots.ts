/**
 * Bounds how many calls to one callee are under way. Callers beyond the bound wait here and not in the connection pool: there, a
 * connection would have to be made even for a caller that gave up, before its place is free.
 */
export class OriginSlots {
  readonly #slotsEach: number
  readonly #lanes = new Map<string, Lane>()

  constructor(slotsEach: number) {
    this.#slotsEach = slotsEach
  }

  /** True when a slot was obtained, which must then be given back; false when none became free in time. */
  async take(key: string, timeoutMs: number): Promise<boolean> {
    const lane = this.#lanes.get(key) ?? { taken: 0, waiting: new Set() }
    this.#lanes.set(key, lane)
    if (lane.taken < this.#slotsEach) {
      lane.taken += 1
      return true
    }
    return await new Promise((resolve) => {
      const timer = setTimeout(() => {
        lane.waiting.delete(admit)
        resolve(false)
      }, timeoutMs)
      function admit(): void {
        clearTimeout(timer)
        resolve(true)
      }
      lane.waiting.add(admit)
    })
  }

  give(key: string): void {
    const lane = this.#lanes.get(key)
    if (lane === undefined) return
    // A Set iterates in order of insertion, so the caller that waited longest gets the slot.
    for (const admit of lane.waiting) {
      lane.waiting.delete(admit)
      admit()
      return
    }
    lane.taken -= 1
    if (lane.taken === 0) this.#lanes.delete(key)
  }
}

type Lane = { taken: number; waiting: Set<() => void> }
