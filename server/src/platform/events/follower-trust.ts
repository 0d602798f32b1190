import { exponentialSeconds } from '../../core/backoff.ts'

/**
 * When a follower fails at this many aggregates in a row without a success between them, the cause is the follower, not the aggregates.
 */
// guard follower-or-event: a follower that fails at everything costs the others nothing
const aggregatesMax = 3
/** A follower that takes this long to fail holds up the others with every try, so one such failure is enough. */
const slowMs = 1_000
/**
 * The longest pause of a follower that fails quickly, and so the longest wait of events that it could handle. It is short because a quick
 * failure costs little.
 */
const pauseSecondsMax = 5
const slowPauseSecondsMax = 60
/** After this many pauses the failure has lasted long; when it ends, events that wait for a later try are tried at once. */
const longFailurePauses = 4

type State = {
  /** The aggregates whose events have failed since the last success. */
  failing: Set<string>
  /** How many times it was tried and failed since it was last trusted; 0: it is trusted. */
  pauses: number
  untilMs: number
}

/**
 * Which followers of a shard get events as they arrive. A follower that fails at everything does not: its events wait, and it is tried
 * now and then with a few of them. So its failure costs the others nothing, and no person has to end the pause.
 */
export class FollowerTrust {
  readonly #states = new Map<string, State>()

  isTrusted(follower: string): boolean {
    return (this.#states.get(follower)?.pauses ?? 0) === 0
  }

  /** Whether it can be given the events that it is behind with: all of them if it is trusted, otherwise a few. */
  mayTry(follower: string, nowMs: number): boolean {
    return (this.#states.get(follower)?.untilMs ?? 0) <= nowMs
  }

  /** Returns whether it has just lost its trust. */
  failed(follower: string, about: { aggregate: string; tookMs: number; nowMs: number }): boolean {
    const state = this.#states.get(follower) ?? { failing: new Set(), pauses: 0, untilMs: 0 }
    this.#states.set(follower, state)
    state.failing.add(about.aggregate)
    if (state.pauses === 0 && state.failing.size < aggregatesMax && about.tookMs < slowMs) return false
    return this.#pause(state, about.nowMs, about.tookMs < slowMs ? pauseSecondsMax : slowPauseSecondsMax)
  }

  /** Others have had to wait for it: it is tried again later, whatever it failed at. */
  distrust(follower: string, nowMs: number): boolean {
    const state = this.#states.get(follower) ?? { failing: new Set(), pauses: 0, untilMs: 0 }
    this.#states.set(follower, state)
    return this.#pause(state, nowMs, slowPauseSecondsMax)
  }

  /** Returns whether it had failed at everything for long. */
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
