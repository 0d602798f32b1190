import type { Claimed } from './lease.ts'
import type { Running } from './turns.ts'

type StepSlotsOptions = {
  concurrency: number
  slow?: { afterMs: number; places: number } | undefined
  slowPerAccount?: number | undefined
}

type InUse = { done: Promise<void>; sinceMs: number }

/** The places that steps run in. A slow step gives its place to another one, as long as there are places for slow steps. */
export class StepSlots {
  readonly #concurrency: number
  readonly #slowAfterMs: number
  readonly #slowPlaces: number
  readonly #slowPerAccount: number
  /** In the order in which they began. */
  readonly #taken = new Map<Claimed, InUse>()

  constructor({ concurrency, slow, slowPerAccount }: StepSlotsOptions) {
    this.#concurrency = concurrency
    this.#slowAfterMs = slow?.afterMs ?? Number.POSITIVE_INFINITY
    this.#slowPlaces = slow?.places ?? 0
    this.#slowPerAccount = slowPerAccount ?? Number.POSITIVE_INFINITY
  }

  get size(): number {
    return this.#taken.size
  }

  get free(): number {
    return this.#concurrency - this.#taken.size + this.#slow()
  }

  /** Resolves when every step that runs has ended. */
  async allDone(): Promise<void> {
    await Promise.all([...this.#taken.values()].map(({ done }) => done))
  }

  running(): Running[] {
    const slow = this.#slow()
    return [...this.#taken.keys()].map((row, index) => ({ row, hasPlace: index >= slow }))
  }

  /** Whether the row's account has fewer slow steps under way than one account may have. */
  hasRoomFor({ account_id: account }: Claimed): boolean {
    const before = performance.now() - this.#slowAfterMs
    let slow = 0
    for (const [row, { sinceMs }] of this.#taken) {
      if (sinceMs > before || slow >= this.#slowPerAccount) break
      if (row.account_id === account) slow += 1
    }
    // guard slow-steps-of-one-account: one account's slow steps leave places to others
    return slow < this.#slowPerAccount
  }

  take(row: Claimed, done: Promise<void>): void {
    this.#taken.set(row, { done, sinceMs: performance.now() })
  }

  leave(row: Claimed): void {
    this.#taken.delete(row)
  }

  /** How many of the oldest steps have places for slow ones. */
  #slow(): number {
    const before = performance.now() - this.#slowAfterMs
    let count = 0
    for (const { sinceMs } of this.#taken.values()) {
      if (count === this.#slowPlaces || sinceMs > before) break
      count += 1
    }
    return count
  }
}
