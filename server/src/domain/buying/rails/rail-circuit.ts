import { exponentialSeconds } from '../../../core/backoff.ts'

/** When calls to a rail are held back, and for how long. */
export const circuitPace = {
  /** How many different calls fail in a row before it opens; a single call that fails again and again says little about the others. */
  failuresMax: 5,
  openSeconds: 5,
  openSecondsMax: 60,
  /** The longest wait, even where the rail asks for a longer one. */
  retryAfterMaxSeconds: 900,
  /** By then the call that finds out whether the rail works has ended. */
  probeSeconds: 10,
} as const

type RailCircuitOptions = {
  readonly monotonicMs: () => number
  /** In [0, 1). */
  readonly random: () => number
  readonly onOpened: (about: { reason: string; seconds: number }) => void
  readonly onClosed: (about: { openSeconds: number }) => void
}

/** The right to make one call. */
type Pass = { readonly key: string; readonly era: number }

/** What a call says about the rail: that it works, or that it fails. */
export type Verdict = { kind: 'works' } | { kind: 'fails'; reason: string; retryAfterSeconds: number | null }

type Open = {
  readonly sinceMs: number
  untilMs: number
  times: number
  /** The one call that finds out whether the rail works again; `isMade` once it has left. */
  probe: { readonly untilMs: number; readonly isMade: boolean } | null
}

/**
 * The circuit breaker before one rail, in one process. While it is closed, every call is made. After failures of several calls in a row
 * it opens: calls are held back for a while, then one call is made, and its result closes the circuit or holds the others back for
 * longer.
 */
export class RailCircuit {
  readonly #options: RailCircuitOptions
  readonly #failing = new Set<string>()
  #open: Open | null = null
  /** A call from before the circuit opened or closed says nothing about the time after. */
  #era = 0
  #leftAloneUntilMs = 0

  constructor(options: RailCircuitOptions) {
    this.#options = options
  }

  get isOpen(): boolean {
    return this.#open !== null
  }

  /**
   * How many seconds a call would be held back; 0 where it may be made. It differs from row to row, so that they do not all come back at
   * once.
   */
  heldSeconds(): number {
    const open = this.#open
    if (open === null) return 0
    const nowMs = this.#options.monotonicMs()
    const { random } = this.#options
    if (nowMs < open.untilMs) return ((open.untilMs - nowMs) / 1000) * (1 + 0.2 * random()) + random()
    // guard one-call-finds-out: when the time of an open circuit is over, one call tries the rail and not all at once
    return open.probe !== null && nowMs < open.probe.untilMs ? 1 + random() : 0
  }

  /**
   * Asked before a call is journaled. 0: make the call. Where this call finds out whether the rail works, no other call is made
   * meanwhile.
   */
  reserve(): number {
    const seconds = this.heldSeconds()
    if (seconds === 0) this.#setProbe(false)
    return seconds
  }

  /** Asked when a call leaves. Returns the right to make it, or for how many seconds it is held back. */
  enter(key: string): Pass | number {
    const open = this.#open
    const isReserved = open?.probe?.isMade === false && this.#options.monotonicMs() >= open.untilMs
    const seconds = isReserved ? 0 : this.heldSeconds()
    if (seconds > 0) return seconds
    this.#setProbe(true)
    return { key, era: this.#era }
  }

  leave({ key, era }: Pass, verdict: Verdict): void {
    // guard circuit-of-its-time: a call from before the circuit opened does not close it
    if (era !== this.#era) return
    if (verdict.kind === 'works') {
      this.#failing.clear()
      this.#leftAloneUntilMs = 0
      if (this.#open) this.#close(this.#open)
      return
    }
    // guard circuit-counts-calls-not-failures: one call that always fails holds up no other
    this.#failing.add(key)
    const asked = Math.min(verdict.retryAfterSeconds ?? 0, circuitPace.retryAfterMaxSeconds)
    const untilMs = this.#options.monotonicMs() + asked * 1000
    this.#leftAloneUntilMs = Math.max(this.#leftAloneUntilMs, untilMs)
    // guard circuit-opens: a rail that fails is left alone
    if (this.#open !== null || this.#failing.size >= circuitPace.failuresMax) this.#hold(verdict.reason)
  }

  #setProbe(isMade: boolean): void {
    if (this.#open === null) return
    this.#open.probe = { untilMs: this.#options.monotonicMs() + circuitPace.probeSeconds * 1000, isMade }
  }

  #hold(reason: string): void {
    const nowMs = this.#options.monotonicMs()
    const wasOpen = this.#open !== null
    this.#open ??= { sinceMs: nowMs, untilMs: nowMs, times: 0, probe: null }
    const open = this.#open
    open.times += 1
    open.probe = null
    const own = exponentialSeconds(open.times, circuitPace.openSeconds, circuitPace.openSecondsMax)
    open.untilMs = Math.max(nowMs + own * 1000, this.#leftAloneUntilMs)
    this.#era += 1
    if (!wasOpen) this.#options.onOpened({ reason, seconds: Math.ceil((open.untilMs - nowMs) / 1000) })
  }

  #close(open: Open): void {
    this.#open = null
    this.#era += 1
    this.#options.onClosed({ openSeconds: (this.#options.monotonicMs() - open.sinceMs) / 1000 })
  }
}
