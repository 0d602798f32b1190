import { randomBytes } from 'node:crypto'
import type { ShopPrice } from '../channels/browser/shopping-words.ts'
import { newToken } from '../platform/secrets/keyed-hash.ts'
import type { OpenVisit } from './open-visit.ts'
import type { VisitTalk } from './visit-talk.ts'

/** A shopper on its way through a shop, who waits for a person. */
export type PricingVisit = {
  readonly visit: OpenVisit
  readonly talk: VisitTalk
  /** What comes of the way in the end. */
  readonly work: Promise<ShopPrice>
}

/** What is waited for: a code that a shop has sent is of no use without its page, and an answer is typed anew. */
type Wanted = 'code' | 'answers'

type Parked = PricingVisit & { readonly wants: Wanted; readonly timer: NodeJS.Timeout }

/**
 * Visits that wait for a person beside those that are worked on: they take memory, and no place. No tenant has the last of these places
 * while it has another, and the tenant with the most gives one up to a tenant that has none. Half of the places are for codes alone.
 */
export class ParkedVisits {
  readonly #max: number
  readonly #keptForMs: number
  readonly #parked = new Map<string, Parked>()

  constructor({ max, keptForMs }: { max: number; keptForMs: number }) {
    this.#max = max
    this.#keptForMs = keptForMs
  }

  get count(): number {
    return this.#parked.size
  }

  /** Keeps it until it is asked for by this name. Null: too many wait already. */
  park(pricing: PricingVisit, wants: Wanted): string | null {
    const { share } = pricing.visit
    // guard questions-leave-room-for-codes: pages that wait for answers take no more than half of the places
    if (wants === 'answers' && !this.#hasRoomFor(share, Math.floor(this.#max / 2), ['answers'])) return null
    if (!this.#hasRoomFor(share, this.#max, ['answers', 'code'])) return null
    const session = newToken('bvp_', randomBytes)
    const timer = setTimeout(() => void this.#drop(session), this.#keptForMs)
    timer.unref()
    this.#parked.set(session, { ...pricing, wants, timer })
    pricing.visit.visit.signal.addEventListener('abort', () => void this.#drop(session), { once: true })
    return session
  }

  has(session: string): boolean {
    return this.#parked.has(session)
  }

  /** The one of this session, where it still waits and `isFor` agrees; one that it does not agree to is closed. */
  take(session: string, isFor: (visit: OpenVisit) => boolean): PricingVisit | null {
    const parked = this.#parked.get(session)
    if (parked === undefined) return null
    if (!isFor(parked.visit)) {
      void this.#drop(session)
      return null
    }
    this.#parked.delete(session)
    clearTimeout(parked.timer)
    return parked
  }

  async close(): Promise<void> {
    await Promise.all([...this.#parked.keys()].map((session) => this.#drop(session)))
  }

  #hasRoomFor(share: string, max: number, among: readonly Wanted[]): boolean {
    const sessions = new Map<string, string[]>()
    let left = max
    for (const [session, { visit, wants }] of this.#parked) {
      if (!among.includes(wants)) continue
      left -= 1
      sessions.set(visit.share, [...(sessions.get(visit.share) ?? []), session])
    }
    if (sessions.has(share)) return left > 1
    if (left > 0) return true
    const [most = []] = [...sessions.values()].sort((a, b) => b.length - a.length)
    const [oldest] = most
    if (oldest === undefined || most.length === 1) return false
    void this.#drop(oldest)
    return true
  }

  async #drop(session: string): Promise<void> {
    const parked = this.#parked.get(session)
    if (parked === undefined) return
    this.#parked.delete(session)
    clearTimeout(parked.timer)
    await parked.visit.close()
  }
}
