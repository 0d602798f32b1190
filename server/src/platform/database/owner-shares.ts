/** What somebody else's data kept too long, or whose turn it is not because it did so a moment ago. Nothing was decided, and it may be asked for again. */
export class TookTooLong extends Error {
  override readonly name = 'TookTooLong'
}

export type OwnerSharesOptions = {
  /** That may be at it at once, over all owners. */
  places: number
  /** From when on an owner counts as slow. */
  slowMs: number
  /** For how long one does that was slow and has not been quick since. */
  rememberMs: number
  nowMs?: () => number
}

type Inside = { owner: string; sinceMs: number }
type Waiting = { owner: string; enter: (inside: Inside) => void; refuse: (error: Error) => void }

/**
 * Who may do something whose length depends on its owner's data. One owner has half of the places at most, and waits for them. One
 * that was slow has a single place until it is quick again, and all slow ones together have half of the places: there they do not wait but are
 * turned away, so that nobody gathers connections while waiting for them. Others always find places.
 */
export class OwnerShares {
  readonly #options: Required<OwnerSharesOptions>
  readonly #inside = new Set<Inside>()
  readonly #waiting: Waiting[] = []
  /** When each was slow last. */
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

  /** In the order in which they came, past those whose owner has its share. */
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
      if (own >= 1 || slow >= half) return 'refused'
    }
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
