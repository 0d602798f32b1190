import { exponentialSeconds } from '../../core/backoff.ts'

/** So many aggregates in a row, with no success between: it is not they, it is the follower. */
const aggregatesMax = 3
/** A follower that fails after so long holds up the others with every try: one is enough. */
const slowMs = 1_000
/** What comes meanwhile waits so long at most, if it is not one that fails: a try that fails at once costs little. */
const pauseSecondsMax = 5
const slowPauseSecondsMax = 60
/** After a failure that lasted, what was to be tried again later is tried at once. */
const longFailurePauses = 4

type State = {
  /** Whose events failed since anything succeeded. */
  failing: Set<string>
  /** How often it was asked and failed since it was last trusted; 0: it is trusted. */
  pauses: number
  untilMs: number
}

/**
 * Which followers of a shard are given events as they come. One that fails at everything is not: its events wait for it, and it is asked
 * now and then with a few of them. So its failure costs the others nothing, and nobody needs to say when it is over.
 */
export class FollowerTrust {
  readonly #states = new Map<string, State>()

  isTrusted(follower: string): boolean {
    return (this.#states.get(follower)?.pauses ?? 0) === 0
  }

  /** Whether it can be given what it is behind with: all of that if it is trusted, else a few. */
  mayTry(follower: string, nowMs: number): boolean {
    return (this.#states.get(follower)?.untilMs ?? 0) <= nowMs
  }

  /** Answers whether it has just lost its trust. */
  failed(follower: string, about: { aggregate: string; tookMs: number; nowMs: number }): boolean {
    const state = this.#states.get(follower) ?? { failing: new Set(), pauses: 0, untilMs: 0 }
    this.#states.set(follower, state)
    state.failing.add(about.aggregate)
    if (state.pauses === 0 && state.failing.size < aggregatesMax && about.tookMs < slowMs) return false
    return this.#pause(state, about.nowMs, about.tookMs < slowMs ? pauseSecondsMax : slowPauseSecondsMax)
  }

  /** Others have had to wait for it: it is asked again later, whatever it failed at. */
  distrust(follower: string, nowMs: number): boolean {
    const state = this.#states.get(follower) ?? { failing: new Set(), pauses: 0, untilMs: 0 }
    this.#states.set(follower, state)
    return this.#pause(state, nowMs, slowPauseSecondsMax)
  }

  /** Answers whether it had failed at everything for long. */
  succeeded(follower: string): boolean {
    const state = this.#states.get(follower)
    if (state === undefined) return false
    this.#states.delete(follower)
    return state.pauses >= longFailurePauses
  }

  #pause(state: State, nowMs: number, secondsMax: number): boolean {
    state.pauses += 1
    state.untilMs = nowMs + exponentialSeconds(state.pauses, 1, secondsMax) * 1000
    return state.pauses === 1
  }
}
