import { randomBytes } from 'node:crypto'
import { newToken } from '../platform/secrets/keyed-hash.ts'
import type { OpenVisit } from './open-visit.ts'

/** There is no place for another visit, and none will come soon. */
export class NoPlace extends Error {
  override readonly name = 'NoPlace'
}

type Kept = {
  readonly share: string
  readonly visit: OpenVisit
  readonly timer: NodeJS.Timeout
  readonly giveBack: () => void
  readonly isSignedIn: boolean
}

type Waiting = { readonly share: string; readonly enter: () => void }

type PlacesOptions = {
  readonly places: number
  /** How many visits of one tenant wait. */
  readonly waitingMax: number
  /** How long a visit waits: its worker has other carts. */
  readonly waitMs: number
  readonly keptForMs: number
}

/**
 * How many visits there are at once, and those whose page stays open for the order. A tenant (`share`) that has a place never takes the last
 * free one: whatever its pages do, the next tenant finds one. Of those that wait, the tenant with the fewest places is next, and among equals
 * the one whose last turn is the longest ago. A visit that waits has precedence over a page that only stays open: that order begins again
 * from its items. Only a page that somebody has signed in to stays, because nobody can begin it again without that person.
 */
export class VisitPlaces {
  readonly #options: PlacesOptions
  readonly #kept = new Map<string, Kept>()
  /** In the order in which they came. */
  readonly #waiting = new Set<Waiting>()
  readonly #held = new Map<string, number>()
  /** Tenants with places or waiting, the one with the last turn at the end. */
  readonly #turns = new Set<string>()
  #taken = 0

  constructor(options: PlacesOptions) {
    this.#options = options
  }

  counts(): { visits: number; kept: number; waiting: number } {
    return { visits: this.#taken, kept: this.#kept.size, waiting: this.#waiting.size }
  }

  /** Waits for a place; what it returns gives the place back. Throws `NoPlace` where none comes in time, or the signal ends the wait. */
  async take(share: string, signal: AbortSignal): Promise<() => void> {
    if (this.#mayTake(share)) this.#enter(share)
    else await this.#wait(share, signal)
    return onlyOnce(() => this.#give(share))
  }

  /** Keeps a visit, with its place, until it is asked for by this name. */
  keep(visit: OpenVisit, giveBack: () => void, isSignedIn = false): string {
    const session = newToken('bvs_', randomBytes)
    const timer = setTimeout(() => void this.#drop(session), this.#options.keptForMs)
    timer.unref()
    this.#kept.set(session, { share: visit.share, visit, timer, giveBack, isSignedIn })
    visit.visit.signal.addEventListener('abort', () => void this.#drop(session), { once: true })
    this.#makeRoom()
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

  #heldBy(share: string): number {
    return this.#held.get(share) ?? 0
  }

  /** `freed`: as if a tenant had given back so many of its places. */
  #mayTake(share: string, freed: { of: string; count: number } | null = null): boolean {
    const left = this.#options.places - this.#taken + (freed?.count ?? 0)
    const held = this.#heldBy(share) - (freed?.of === share ? freed.count : 0)
    // guard the-last-place-is-for-others: whatever one tenant buys, the next one finds a place
    return left > (held === 0 ? 0 : 1)
  }

  #enter(share: string): void {
    this.#taken += 1
    this.#held.set(share, this.#heldBy(share) + 1)
    this.#turns.delete(share)
    this.#turns.add(share)
  }

  #wait(share: string, signal: AbortSignal): Promise<void> {
    const { waitingMax, waitMs } = this.#options
    const ahead = [...this.#waiting].filter((one) => one.share === share).length
    if (ahead >= waitingMax || signal.aborted)
      return Promise.reject(new NoPlace('too many carts wait for the browser'))
    return new Promise((resolve, reject) => {
      const leave = () => {
        stop()
        this.#waiting.delete(waiting)
        reject(new NoPlace('no place became free in time'))
      }
      const timer = setTimeout(leave, waitMs)
      const stop = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', leave)
      }
      const waiting: Waiting = {
        share,
        enter: () => {
          stop()
          resolve()
        },
      }
      this.#waiting.add(waiting)
      signal.addEventListener('abort', leave, { once: true })
      this.#makeRoom()
    })
  }

  #give(share: string): void {
    this.#taken -= 1
    const left = this.#heldBy(share) - 1
    if (left > 0) this.#held.set(share, left)
    else this.#held.delete(share)
    this.#admit()
    // Of tenants that are gone nothing is remembered.
    for (const one of this.#turns)
      if (this.#heldBy(one) === 0 && ![...this.#waiting].some((waiting) => waiting.share === one))
        this.#turns.delete(one)
  }

  #admit(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      this.#waiting.delete(next)
      this.#enter(next.share)
      next.enter()
    }
  }

  /** Who is next, of those whose tenant may have a place. */
  #next(): Waiting | undefined {
    const turns = [...this.#turns]
    const first = new Map<string, Waiting>()
    for (const one of this.#waiting) if (!first.has(one.share)) first.set(one.share, one)
    const may = [...first.values()].filter(({ share }) => this.#mayTake(share))
    const rank = ({ share }: Waiting): readonly [number, number] => [
      this.#heldBy(share),
      turns.indexOf(share),
    ]
    // guard the-tenant-with-fewest-is-next: of those that wait for a place, who has the fewest is next
    return may.sort((a, b) => compare(rank(a), rank(b)))[0]
  }

  /**
   * Closes a page that only stays open, where a tenant without more places waits and such pages are what it waits for. It may take several:
   * the last free place is for others.
   */
  #makeRoom(): void {
    const closable = [...this.#kept].filter(([, { isSignedIn }]) => !isSignedIn)
    const waiting = [...new Set([...this.#waiting].map(({ share }) => share))]
    const helping = closable.filter(([, { share: of }]) => {
      const count = closable.filter(([, { share }]) => share === of).length
      return waiting.some(
        (share) =>
          (share === of || this.#heldBy(share) < this.#heldBy(of)) && this.#mayTake(share, { of, count }),
      )
    })
    const most = Math.max(...helping.map(([, { share }]) => this.#heldBy(share)))
    const chosen = helping.find(([, { share }]) => this.#heldBy(share) === most)
    if (chosen !== undefined) void this.#drop(chosen[0])
  }

  async #drop(session: string): Promise<void> {
    const kept = this.#kept.get(session)
    if (kept === undefined) return
    this.#kept.delete(session)
    clearTimeout(kept.timer)
    await kept.visit.close()
    kept.giveBack()
    this.#makeRoom()
  }
}

function compare(a: readonly [number, number], b: readonly [number, number]): number {
  return a[0] - b[0] || a[1] - b[1]
}

function onlyOnce(work: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    work()
  }
}
