import { randomBytes } from 'node:crypto'
import type { ShopPrice } from '../channels/browser/shopping-words.ts'
import { newToken } from '../platform/secrets/keyed-hash.ts'
import type { OpenVisit } from './open-visit.ts'
import type { SignInTalk } from './sign-in-talk.ts'

/** A shopper on its way through a shop, who waits for a code. */
export type PricingVisit = {
  readonly visit: OpenVisit
  readonly talk: SignInTalk
  /** What comes of the way in the end. */
  readonly work: Promise<ShopPrice>
}

type Parked = PricingVisit & { readonly timer: NodeJS.Timeout }

/**
 * Visits that wait for a code beside those that are worked on: they take memory, and no place. No tenant has the last of these places while
 * it has another, and the tenant with the most gives one up to a tenant that has none.
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
  park(pricing: PricingVisit): string | null {
    if (!this.#hasRoomFor(pricing.visit.share)) return null
    const session = newToken('bvp_', randomBytes)
    const timer = setTimeout(() => void this.#drop(session), this.#keptForMs)
    timer.unref()
    this.#parked.set(session, { ...pricing, timer })
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

  #hasRoomFor(share: string): boolean {
    const sessions = new Map<string, string[]>()
    for (const [session, { visit }] of this.#parked)
      sessions.set(visit.share, [...(sessions.get(visit.share) ?? []), session])
    const left = this.#max - this.#parked.size
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
