/**
 * The read took too long because of another party's data, or that party's reads are refused for a moment because an earlier one did.
 * Nothing was decided, and the read may be tried again.
 */
export class TookTooLong extends Error {
  override readonly name = 'TookTooLong'
}

type OwnerSharesOptions = {
  /** How many reads may run at once, over all owners. */
  places: number
  /** After how many milliseconds a read counts its owner as slow. */
  slowMs: number
  /** For how many milliseconds an owner stays slow that has not been quick since. */
  rememberMs: number
  nowMs?: () => number
}

type Inside = { owner: string; sinceMs: number }
type Waiting = { owner: string; enter: (inside: Inside) => void; refuse: (error: Error) => void }

/**
 * Limits work whose length depends on its owner's data. One owner has at most half of the places, and waits for them. An owner that was
 * slow has a single place until it is quick again, and all slow owners together have half of the places. Work of slow owners is turned
 * away instead of waiting, so that no caller collects connections while it waits for them. Other owners always find places.
 */
export class OwnerShares {
  readonly #options: Required<OwnerSharesOptions>
  readonly #inside = new Set<Inside>()
  readonly #waiting: Waiting[] = []
  /** When each owner was slow last. */
  readonly #slow = new Map<string, number>()

  constructor(options: OwnerSharesOptions) {
    this.#options = { nowMs: () => performance.now(), ...options }
  }

  /** Does `work` once there is a place; `isLate` says that it failed because it took too long. */
  async run<T>(owner: string, work: () => Promise<T>, isLate: (error: unknown) => boolean): Promise<T> {
    const inside = await new Promise<Inside>((enter, refuse) => {
      this.#waiting.push({ owner, enter, refuse })
      this.#admit()
    })
    let wasLate = false
    try {
      return await work()
    } catch (error) {
      wasLate = isLate(error)
      throw error
    } finally {
      this.#leave(inside, wasLate)
    }
  }

  #leave(inside: Inside, wasLate: boolean): void {
    const { nowMs, slowMs } = this.#options
    this.#inside.delete(inside)
    if (wasLate || nowMs() - inside.sinceMs >= slowMs) this.#slow.set(inside.owner, nowMs())
    else this.#slow.delete(inside.owner)
    this.#admit()
  }

  /** In the order of arrival, skipping those whose owner has its share. */
  #admit(): void {
    for (const waiting of [...this.#waiting]) {
      const verdict = this.#verdictOn(waiting.owner)
      if (verdict === 'waits') continue
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
      if (verdict === 'refused')
        waiting.refuse(new TookTooLong('others of this owner took too long a moment ago'))
      else {
        const inside = { owner: waiting.owner, sinceMs: this.#options.nowMs() }
        this.#inside.add(inside)
        waiting.enter(inside)
      }
    }
  }

  #verdictOn(owner: string): 'enters' | 'waits' | 'refused' {
    const { places } = this.#options
    const half = Math.max(1, Math.floor(places / 2))
    const all = [...this.#inside]
    const own = all.filter((one) => one.owner === owner).length
    if (this.#isSlow(owner)) {
      const slow = all.filter((one) => this.#isSlow(one.owner)).length
      // guard slow-owners-are-turned-away: calls that wait for a slow owner do not gather connections
      if (own >= 1 || slow >= half) return 'refused'
    }
    // guard half-for-one-owner: one owner's data takes half of the places at most
    return own >= half || all.length >= places ? 'waits' : 'enters'
  }

  #isSlow(owner: string): boolean {
    const { nowMs, slowMs, rememberMs } = this.#options
    const now = nowMs()
    const slowAt = this.#slow.get(owner)
    if (slowAt !== undefined && now - slowAt < rememberMs) return true
    if (slowAt !== undefined) this.#slow.delete(owner)
    return [...this.#inside].some((one) => one.owner === owner && now - one.sinceMs >= slowMs)
  }
}
