import { setTimeout as delay } from 'node:timers/promises'
import type { Statement } from '../../contract/statement.ts'
import { exponentialSeconds, jittered } from '../../core/backoff.ts'
import { topics } from '../hints/hints.ts'
import { type Claimed, createLease, LeaseLost, type Look } from './lease.ts'
import { openBound } from './step-bound.ts'
import { createStepContext, type WorkDeps } from './step-context.ts'
import { describeFailure } from './step-error.ts'
import { StepSlots } from './step-slots.ts'
import { Load, Turns, tenantKey } from './turns.ts'
import type { WorkKind } from './work.ts'

const pollMsDefault = 500
const batchDefault = 20
const finishMs = 6_000
const postponeBaseSeconds = 1
const handBackSeconds = 3
/** After this many leases another worker has the row. A step that still runs disturbs nobody and writes nothing more. */
const leasesPerStep = 2
const postponeMaxSeconds = 900
/**
 * While there is a backlog, free places are collected before the next claim, because a claim costs about the same for one row or for
 * many: until a whole batch is free, or half a batch where that is at most a quarter of all places, but no longer than this.
 */
const gatherMs = 5
const gatherMsMax = 20

/** Claims the due rows of one kind and runs their steps, a bounded number at once. */
export class KindLoop {
  readonly kind: string
  readonly #deps: WorkDeps
  readonly #work: WorkKind
  readonly #places: StepSlots
  readonly #turns = new Turns()
  readonly #meters: ReturnType<typeof metersOf>
  readonly #stopping = new AbortController()
  #unsubscribe: (() => void) | null = null
  #wanted = false
  /** The last claim got about as many rows as it asked for, or all that one tenant may have: there is more. */
  #isBacklogged = false
  /** The tenants whose rows the last claim got, by one row each. */
  #hungry: readonly Claimed[] = []
  #pumping: Promise<void> | null = null
  /** Called when a place becomes free, while places are collected. */
  #onRoom: (() => void) | null = null

  constructor(deps: WorkDeps, work: WorkKind) {
    this.#deps = deps
    this.#work = work
    this.#places = new StepSlots(work)
    this.kind = work.kind
    this.#meters = metersOf(deps.metrics, work.kind)
  }

  /** It waits for a hint, or for a look that finds a due row. */
  start(): void {
    if (this.#isWithoutMeans) return
    this.#unsubscribe = this.#deps.hints.on(topics.work(this.kind), () => this.wake())
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#unsubscribe?.()
    await this.#pumping
    const ended = new AbortController()
    const patience = delay(finishMs, undefined, { signal: ended.signal }).catch(() => undefined)
    await Promise.race([this.#places.allDone(), patience])
    ended.abort()
    if (this.#places.size > 0) {
      this.#deps.log.warn(
        { kind: this.kind, steps: this.#places.size },
        'work: steps did not finish; their leases will end',
      )
    }
  }

  /** One claim, with its steps run to the end; returns how many. */
  async runOnce(): Promise<number> {
    if (this.#isWithoutMeans) return 0
    const claimedAtMs = performance.now()
    const rows = await this.#claim(Math.min(this.#places.free, this.#batch))
    await Promise.all(rows.map((row) => this.#begin(row, claimedAtMs)))
    return rows.length
  }

  get #isWithoutMeans(): boolean {
    return this.#work.serves?.length === 0
  }

  get #batch(): number {
    return this.#work.batch ?? batchDefault
  }

  /** How often somebody must look whether rows are due. */
  get pollMs(): number {
    return this.#isWithoutMeans ? Number.POSITIVE_INFINITY : (this.#work.pollMs ?? pollMsDefault)
  }

  /** Whether a row may be due, asked for without a claim; null where only a claim can tell. */
  look(): Statement<Look> | null {
    const turn = this.#turns.next(
      { limit: this.#batch, lease_seconds: this.#work.leaseSeconds },
      this.#load(),
    )
    return this.#work.claim(turn, []).look ?? null
  }

  /** Call it when a row may be due. */
  wake(): void {
    this.#wanted = true
    if (this.#pumping !== null || this.#stopping.signal.aborted) return
    this.#pumping = this.#pump().finally(() => {
      this.#pumping = null
    })
  }

  async #pump(): Promise<void> {
    while (this.#wanted && !this.#stopping.signal.aborted) {
      await this.#gather()
      const limit = Math.min(this.#places.free, this.#batch)
      // Every place is taken: the first step that ends wakes the loop, or the poll does when some are slow.
      if (limit <= 0 || this.#stopping.signal.aborted) return
      this.#wanted = false
      try {
        const claimedAtMs = performance.now()
        const rows = await this.#claim(limit)
        if (this.#stopping.signal.aborted) return await this.#returnUnstarted(rows)
        for (const row of rows) {
          if (this.#places.hasRoomFor(row)) void this.#begin(row, claimedAtMs)
          else void this.#handBack(row)
        }
        if (this.#isBacklogged) this.#wanted = true
      } catch (error) {
        this.#deps.metrics.workClaimFailures.inc({ kind: this.kind })
        this.#deps.log.warn(
          { err: error, kind: this.kind },
          'work: a claim failed; the next poll tries again',
        )
        return
      }
    }
  }

  /** It never waits after a quiet moment, nor while the tenants that had work have places for a claim that is worth its cost. */
  async #gather(): Promise<void> {
    if (!this.#isBacklogged) return
    const isWide = this.#batch * 2 <= this.#work.concurrency
    const enough = isWide ? this.#batch / 2 : this.#batch
    if (this.#room() >= enough) return
    await new Promise<void>((resolve) => {
      const patience = setTimeout(resolve, isWide ? gatherMsMax : gatherMs)
      this.#onRoom = () => {
        if (this.#room() < enough) return
        clearTimeout(patience)
        resolve()
      }
    })
    this.#onRoom = null
  }

  /** How many places there are for the tenants that had work at the last look. */
  #room(): number {
    const { free } = this.#places
    if (this.#work.sharesOut) return free
    const load = this.#load()
    return Math.min(
      free,
      this.#hungry.reduce((room, one) => room + load.roomOf(one), 0),
    )
  }

  #load(): Load {
    return new Load(this.#places.free, this.#places.running())
  }

  async #claim(limit: number): Promise<readonly Claimed[]> {
    const load = this.#load()
    const turn = this.#turns.next({ limit, lease_seconds: this.#work.leaseSeconds }, load)
    const claim = this.#work.claim(turn, this.#places.running())
    const { pools } = this.#deps
    const { rows } = await (this.#work.claimsProvisionally ? pools.provisional(claim) : pools.single(claim))
    this.#turns.had(rows)
    this.#learn(limit, load, rows)
    if (rows.length > 0) this.#meters.claimed.inc(rows.length)
    return rows
  }

  /** Remembers whether there is more work, and of which tenants. */
  #learn(limit: number, load: Load, rows: readonly Claimed[]): void {
    // A claim may get fewer rows than there are, where it shares its rows out among many tenants.
    this.#isBacklogged = rows.length * 2 >= limit
    if (this.#work.sharesOut) return
    const got = new Map<string, Claimed[]>()
    for (const row of rows) {
      const key = tenantKey(row)
      const others = got.get(key)
      if (others) others.push(row)
      else got.set(key, [row])
    }
    const byTenant = [...got.values()]
    this.#hungry = byTenant.flatMap(([one]) => (one ? [one] : []))
    this.#isBacklogged ||= byTenant.some(([one, ...more]) => one && more.length + 1 >= load.roomOf(one))
  }

  async #returnUnstarted(rows: readonly Claimed[]): Promise<void> {
    for (const row of rows) await this.#deps.pools.single(this.#work.release(row))
  }

  /** The row's account has its share of the slow places: no step of it begins before some of them are free, however much is due. */
  async #handBack(row: Claimed): Promise<void> {
    const seconds = jittered(handBackSeconds, Math.random())
    try {
      await this.#deps.pools.single(this.#work.release(row, seconds))
    } catch (cause) {
      this.#deps.log.warn(
        { ...this.#about(row), err: cause },
        'work: a row was not given back; it comes back when its lease ends',
      )
    }
  }

  #begin(row: Claimed, claimedAtMs: number): Promise<void> {
    const running = this.#run(row, claimedAtMs).finally(() => {
      // A tenant that had all its places gets no other signal that it may have more.
      const isRoomMade = this.#unsubscribe !== null && !this.#work.sharesOut && this.#load().isAnyFull
      this.#places.leave(row)
      this.#onRoom?.()
      if (this.#wanted || isRoomMade) this.wake()
    })
    this.#places.take(row, running)
    return running
  }

  /** Runs one step. It throws nothing: a failure is counted, logged and tried again later. */
  async #run(row: Claimed, claimedAtMs: number): Promise<void> {
    const { faults } = this.#deps
    const { kind } = this
    const meters = this.#meters
    const startedAtMs = performance.now()
    meters.running.inc()
    let result: 'done' | 'lease_lost' | 'failed' = 'done'
    try {
      await faults.at('claim.after')
      const { leaseSeconds } = this.#work
      const { bound, restart, wait } = openBound(leaseSeconds * leasesPerStep * 1000)
      const lease = createLease(row.lease_token, claimedAtMs, leaseSeconds, restart)
      const { signal } = this.#stopping
      const ctx = await createStepContext(this.#deps, { kind, row, lease, signal, bound })
      await wait(this.#work.step(ctx, row))
      // guard success-takes-failures-back: a row that works again is not named as failing
      if (row.step_failures > 0) await this.#recover(row)
    } catch (error) {
      result = error instanceof LeaseLost ? 'lease_lost' : 'failed'
      await this.#endure(row, error)
    } finally {
      meters.running.dec()
      meters[result].inc()
      meters.seconds.observe((performance.now() - startedAtMs) / 1000)
    }
  }

  /** The step succeeded. A failure count that could not be cleared here is cleared with the row's next step. */
  async #recover(row: Claimed): Promise<void> {
    const { log, pools } = this.#deps
    try {
      await pools.single(this.#work.recover(row))
      log.info({ ...this.#about(row), failures: row.step_failures }, 'work: a step that failed has succeeded')
    } catch (cause) {
      log.warn({ ...this.#about(row), err: cause }, 'work: the failures of a row were not taken back')
    }
  }

  /** A step that is too late every time has failed as well. A worker that has lost the row writes nothing by this. */
  async #endure(row: Claimed, error: unknown): Promise<void> {
    const { log, pools } = this.#deps
    const about = { ...this.#about(row), err: error }
    const failures = row.step_failures + 1
    const seconds = jittered(
      exponentialSeconds(failures, postponeBaseSeconds, postponeMaxSeconds),
      Math.random(),
    )
    if (error instanceof LeaseLost) log.info(about, 'work: the lease was lost; whoever holds it goes on')
    else log.error({ ...about, failures, retry_seconds: Math.round(seconds) }, 'work: a step failed')
    try {
      await pools.single(this.#work.postpone(row, { seconds, error: describeFailure(error) }))
    } catch (cause) {
      log.warn(
        { ...about, err: cause },
        'work: a failed row was not postponed; it comes back when its lease ends',
      )
    }
  }

  #about({ id, account_id, mode }: Claimed) {
    return { kind: this.kind, row: id, account_id, mode }
  }
}

/** Looking up the labels for every step costs more than counting does. */
function metersOf(metrics: WorkDeps['metrics'], kind: string) {
  return {
    claimed: metrics.workClaimed.labels({ kind }),
    running: metrics.workRunning.labels({ kind }),
    seconds: metrics.workSeconds.labels({ kind }),
    done: metrics.workSteps.labels({ kind, result: 'done' }),
    lease_lost: metrics.workSteps.labels({ kind, result: 'lease_lost' }),
    failed: metrics.workSteps.labels({ kind, result: 'failed' }),
  }
}
