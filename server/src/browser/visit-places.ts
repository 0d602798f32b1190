import { randomBytes } from 'node:crypto'
import { newToken } from '../platform/secrets/keyed-hash.ts'
import type { OpenVisit } from './open-visit.ts'

/** There is no place for another cart, and none will come soon. */
export class NoPlace extends Error {
  override readonly name = 'NoPlace'
}

type Kept = {
  readonly visit: OpenVisit
  readonly timer: NodeJS.Timeout
  readonly giveBack: () => void
  readonly isSignedIn: boolean
}

/**
 * How many visits there are at once, and those whose page stays open for the order. A cart that waits has precedence over a page that only
 * stays open: that order begins again from its items. Only a page that somebody has signed in to stays, because nobody can begin it again
 * without that person.
 */
export class VisitPlaces {
  readonly #placesMax: number
  readonly #waitingMax: number
  readonly #keptForMs: number
  readonly #kept = new Map<string, Kept>()
  readonly #waiting = new Set<() => void>()
  #taken = 0

  constructor({ places, waitingMax, keptForMs }: { places: number; waitingMax: number; keptForMs: number }) {
    this.#placesMax = places
    this.#waitingMax = waitingMax
    this.#keptForMs = keptForMs
  }

  counts(): { visits: number; kept: number; waiting: number } {
    return { visits: this.#taken, kept: this.#kept.size, waiting: this.#waiting.size }
  }

  /** Waits for a place; what it returns gives the place back. Throws `NoPlace` where too many wait already, or the signal ends the wait. */
  async take(signal: AbortSignal): Promise<() => void> {
    if (this.#taken >= this.#placesMax) this.#dropOldest()
    if (this.#taken < this.#placesMax && this.#waiting.size === 0) this.#taken += 1
    else await this.#wait(signal)
    return onlyOnce(() => this.#give())
  }

  /** Keeps a visit, with its place, until it is asked for by this name. */
  keep(visit: OpenVisit, giveBack: () => void, isSignedIn = false): string {
    const session = newToken('bvs_', randomBytes)
    const timer = setTimeout(() => void this.#drop(session), this.#keptForMs)
    timer.unref()
    this.#kept.set(session, { visit, timer, giveBack, isSignedIn })
    visit.visit.signal.addEventListener('abort', () => void this.#drop(session), { once: true })
    if (this.#waiting.size > 0) this.#dropOldest()
    return session
  }

  /** The visit of a session, where it is still open and `isFor` agrees; one that it does not agree to is closed. */
  resume(session: string, isFor: (visit: OpenVisit) => boolean): Pick<Kept, 'visit' | 'giveBack'> | null {
    const kept = this.#kept.get(session)
    if (kept === undefined) return null
    if (!isFor(kept.visit)) {
      void this.#drop(session)
      return null
    }
    this.#kept.delete(session)
    clearTimeout(kept.timer)
    return kept
  }

  async close(): Promise<void> {
    await Promise.all([...this.#kept.keys()].map((session) => this.#drop(session)))
  }

  #wait(signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= this.#waitingMax || signal.aborted)
      return Promise.reject(new NoPlace('too many carts wait for the browser'))
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        this.#waiting.delete(enter)
        reject(new NoPlace('the worker has gone'))
      }
      this.#waiting.add(enter)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  #give(): void {
    // A Set iterates in order of insertion, so the cart that waited longest gets the place.
    for (const enter of this.#waiting) {
      this.#waiting.delete(enter)
      enter()
      return
    }
    this.#taken -= 1
  }

  #dropOldest(): void {
    for (const [session, { isSignedIn }] of this.#kept) {
      if (isSignedIn) continue
      void this.#drop(session)
      return
    }
  }

  async #drop(session: string): Promise<void> {
    const kept = this.#kept.get(session)
    if (kept === undefined) return
    this.#kept.delete(session)
    clearTimeout(kept.timer)
    await kept.visit.close()
    kept.giveBack()
  }
}

function onlyOnce(work: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    work()
  }
}
