import { agentOf } from '../../contract/actor.ts'
import type { Actor, Tenant } from '../../contract/context.ts'
import { busy, rateLimited } from '../../contract/limit-refusals.ts'
import { type LimitName, type Limits, limitsTable, type SlotName } from '../../contract/limits.ts'

/** How soon a place is free again is unknown, so this is short. */
const retryAfterSeconds = 1

/** The tenant and actor that take a place. */
export type Holder = { readonly tenant: Tenant; readonly actor: Actor }

/**
 * How many things of one kind an account and mode, or an agent of it, has at once, in this process: more keys do not give more places. A
 * new process counts from zero, because nothing of the old one is left.
 */
export class Slots {
  readonly #limits: Limits
  readonly #taken = new Map<string, number>()

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** Takes a place, or throws 429. Returns the function that gives it back; it must be called once. */
  take(name: SlotName, holder: Holder): () => void {
    const place = slotOf(name, holder)
    const taken = this.#taken.get(place) ?? 0
    const limit = this.#limits[name]
    // guard places-at-once: an account has so many things at once
    if (taken >= limit) {
      throw rateLimited({ scope: limitsTable[name].scope, limit, windowSeconds: 1, retryAfterSeconds })
    }
    const together = togetherOf(name)
    // guard places-together: a process takes in so many files at once, of all accounts
    if (together && (this.#taken.get(together) ?? 0) >= this.#limits[together]) throw busy(retryAfterSeconds)
    this.#add(place, 1)
    if (together) this.#add(together, 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#add(place, -1)
      if (together) this.#add(together, -1)
    }
  }

  #add(place: string, change: 1 | -1): void {
    const count = (this.#taken.get(place) ?? 0) + change
    if (count > 0) this.#taken.set(place, count)
    else this.#taken.delete(place)
  }

  /** How many places are taken, of all kinds and accounts. */
  get taken(): number {
    return [...this.#taken.values()].reduce((sum, count) => sum + count, 0)
  }
}

function slotOf(name: SlotName, { tenant, actor }: Holder): string {
  const place = `${name} ${tenant.accountId} ${tenant.mode}`
  // guard places-of-an-agent: one agent does not take the places of another
  return 'isOfAgent' in limitsTable[name] ? `${place} ${agentOf(actor) ?? actor.id}` : place
}

function togetherOf(name: SlotName): LimitName | null {
  const spec = limitsTable[name]
  return 'together' in spec ? spec.together : null
}

/** The places that one call holds: they are given back together when it has ended. */
export class HeldSlots {
  readonly #slots: Slots
  readonly #held = new Map<SlotName, () => void>()

  constructor(slots: Slots) {
    this.#slots = slots
  }

  /** A call that is run again keeps its places. */
  hold(name: SlotName, holder: Holder): void {
    if (!this.#held.has(name)) this.#held.set(name, this.#slots.take(name, holder))
  }

  release(name: SlotName): void {
    this.#held.get(name)?.()
    this.#held.delete(name)
  }

  releaseAll(): void {
    for (const name of [...this.#held.keys()]) this.release(name)
  }
}
