import { busy, rateLimited } from '../../contract/limit-refusals.ts'

type SharesOptions = {
  /** How many may be inside at once, of all tenants together. */
  places: number
  /** How many of one tenant. It is at most one fewer than the places, so that no tenant can hold all of them. */
  share: number
  /** How many of one tenant may wait for a place. */
  waitersMax: number
  waitMs: number
  /** The name of the tenant's own share, as its refusal says it. */
  scope: string
}

type Waiter = { admit: () => void }

/**
 * Places that tenants share. A tenant that finds none waits, and a place that becomes free goes to the waiting tenant that has the
 * fewest: so a tenant that asks for more than its share makes only itself wait.
 */
export class Shares {
  readonly #options: SharesOptions
  readonly #share: number
  readonly #inside = new Map<string, number>()
  /** By tenant; the tenant that was served last stands last. */
  readonly #waiting = new Map<string, Waiter[]>()
  #total = 0

  constructor(options: SharesOptions) {
    this.#options = options
    // guard share-below-all: no setting lets one tenant hold all connections
    this.#share = Math.max(1, Math.min(options.share, options.places - 1))
  }

  /**
   * Returns at once where there is a place. Throws 429 where the tenant's own share is used up for too long, 503 where all places are.
   */
  enter(tenant: string): Promise<void> | undefined {
    if (this.#hasPlaceFor(tenant)) return this.#take(tenant)
    const { waitersMax, waitMs } = this.#options
    const queue = this.#waiting.get(tenant) ?? []
    if (queue.length >= waitersMax) throw this.#refusal(tenant)
    this.#waiting.set(tenant, queue)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiter), 1)
        if (queue.length === 0) this.#waiting.delete(tenant)
        reject(this.#refusal(tenant))
      }, waitMs)
      const waiter = {
        admit: () => {
          clearTimeout(timer)
          resolve()
        },
      }
      queue.push(waiter)
    })
  }

  /** How many wait, of all tenants together. */
  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, queue) => sum + queue.length, 0)
  }

  leave(tenant: string): void {
    const left = this.#insideOf(tenant) - 1
    if (left > 0) this.#inside.set(tenant, left)
    else this.#inside.delete(tenant)
    this.#total -= 1
    this.#admitNext()
  }

  #admitNext(): void {
    let next: string | null = null
    for (const tenant of this.#waiting.keys()) {
      if (!this.#hasPlaceFor(tenant)) continue
      if (next === null || this.#insideOf(tenant) < this.#insideOf(next)) next = tenant
    }
    if (next === null) return
    const queue = this.#waiting.get(next) ?? []
    const waiter = queue.shift()
    this.#waiting.delete(next)
    if (queue.length > 0) this.#waiting.set(next, queue)
    this.#take(next)
    waiter?.admit()
  }

  #hasPlaceFor(tenant: string): boolean {
    // guard share-of-a-tenant: one tenant cannot hold more connections than its share
    return this.#total < this.#options.places && this.#insideOf(tenant) < this.#share
  }

  #take(tenant: string): undefined {
    this.#inside.set(tenant, this.#insideOf(tenant) + 1)
    this.#total += 1
  }

  #insideOf(tenant: string): number {
    return this.#inside.get(tenant) ?? 0
  }

  #refusal(tenant: string) {
    const { scope, waitMs } = this.#options
    const retryAfterSeconds = waitMs / 1000
    if (this.#insideOf(tenant) < this.#share) return busy(retryAfterSeconds)
    return rateLimited({ scope, limit: this.#share, windowSeconds: 1, retryAfterSeconds })
  }
}
