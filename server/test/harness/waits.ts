import type { Pools } from '../../src/platform/database/pool.ts'
import { type Hints, topics } from '../../src/platform/hints/hints.ts'

/** A point at which a call that waits for a purchase can be held up. */
type WaitPoint = 'intent.read'

type HeldRead = {
  /** Settles when a read has its answer and keeps it. */
  readonly reached: Promise<void>
  resume(): void
}

/** Which calls wait for which purchase, and how often they read it: known, and not guessed by the clock. */
export class Waits {
  #hold: { reached: () => void; released: Promise<void> } | null = null
  readonly #listening = new Map<string, number>()
  #areHintsLost = false
  /** How often purchases have been read. */
  reads = 0

  /** Hints that know their listeners. */
  readonly watch = (hints: Hints): Hints => ({
    publish: (topic, how) => {
      if (!this.#areHintsLost) hints.publish(topic, how)
    },
    on: (topic, listener) => {
      this.#count(topic, 1)
      const leave = hints.on(topic, listener)
      return () => {
        this.#count(topic, -1)
        leave()
      }
    },
  })

  /** Pools that count the reads of purchases and can hold one up. */
  readonly wrap = (pools: Pools): Pools => ({
    ...pools,
    read: async (statement) => {
      const rows = await pools.read(statement)
      if (statement.name === 'select_purchase_intent') await this.#pass()
      return rows
    },
  })

  /** Holds up the call that passes the point next, after it has read its answer. */
  pause(_point: WaitPoint): HeldRead {
    const reached = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    this.#hold = { reached: reached.resolve, released: released.promise }
    return { reached: reached.promise, resume: released.resolve }
  }

  /** Loses hints, as a process without its connection for hints does. */
  loseHints(areLost: boolean): void {
    this.#areHintsLost = areLost
  }

  /** The number of calls that wait for this purchase. */
  waiting(intentId: string): number {
    return this.#listening.get(topics.aggregate(intentId)) ?? 0
  }

  async #pass(): Promise<void> {
    this.reads += 1
    const hold = this.#hold
    if (!hold) return
    this.#hold = null
    hold.reached()
    await hold.released
  }

  #count(topic: string, change: number): void {
    this.#listening.set(topic, (this.#listening.get(topic) ?? 0) + change)
  }
}
