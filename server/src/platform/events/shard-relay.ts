import { setTimeout as delay } from 'node:timers/promises'
import { isDatabaseAway, isRetryable } from '../database/errors.ts'
import { selectDetained, selectIsBehind } from './backlog.sql.ts'
import { FollowerTrust } from './follower-trust.ts'
import { LateFollowers } from './late-followers.ts'
import { type AggregateGroup, aggregateKey, groupByAggregate } from './plan-batch.ts'
import { type PendingRow, pendingOf, selectPending, selectPredecessors } from './relay.sql.ts'
import {
  allFollowers,
  type BatchDeps,
  type BatchPlan,
  type BatchResult,
  commitBatch,
  EndedUnder,
  type HeldShard,
  ShardLost,
} from './relay-batch.ts'

type ShardRelayOptions = BatchDeps &
  HeldShard & {
    batch: number
    /** Takes a place among the shards that relay at once; returns the function that gives it back. */
    enter: () => Promise<() => void>
    /** The same for events that followers are behind with: that may take long, and nothing else may wait for it. */
    enterLate: () => Promise<() => void>
    onLost: (shard: ShardRelay) => void
  }

/** One tenant gets at most a fourth of a batch before the next tenant has its turn. */
const tenantShare = 4
/** The first event after a quiet moment is relayed at once; later ones are collected for this many milliseconds. */
const gatherMs = 8
/**
 * A batch costs about as much as fifteen of its events: above this many events a second, it pays to collect more of them for one batch.
 */
const busyEventsPerSecond = 75
const busyGatherMs = 25
const troubleMs = 250
/** A deadlock or a lost connection is nobody's fault, once or twice; after that the follower that fails is searched for. */
const momentsMax = 3
/** A failure that took this long must not be repeated again and again, because others wait. */
const slowMs = 1_000
/** How often the session may end under the same follower before that follower is run by itself. */
// guard session-endings-are-somebodys: a follower that ends the session does not hold up the others
const endingsMax = 3

/** Relays the events of one held shard, one batch at a time. */
export class ShardRelay {
  readonly shard: number
  readonly epoch: bigint
  readonly #options: ShardRelayOptions
  readonly #trust = new FollowerTrust()
  readonly #late: LateFollowers
  readonly #stopping = new AbortController()
  #running: Promise<void> | null = null
  #last: Promise<unknown> = Promise.resolve()
  #wanted = false
  /**
   * Whether the last look returned all that one tenant may have of it, so that there may be more. Later events bring hints of their own.
   */
  #isFull = false
  #startedAtMs = 0
  /** How many events were relayed recently: each counts less as time goes by, a third after a second. */
  #recent = 0
  /** Whether a follower may be behind. True until a look says otherwise, since others held the shard before. */
  #mayBeBehind = true
  /** How many temporary failures there were in a row. */
  #moments = 0
  readonly #endings = new Map<string, number>()
  #catchingUp: Promise<void> | null = null

  constructor(options: ShardRelayOptions) {
    this.#options = options
    this.shard = options.shard
    this.epoch = options.epoch
    this.#late = new LateFollowers({ ...options, trust: this.#trust, stopping: this.#stopping.signal })
  }

  /** Call it when an event may be pending. */
  wake(): void {
    this.#wanted = true
    if (this.#running === null && !this.#stopping.signal.aborted) {
      this.#running = this.#run().finally(() => {
        this.#running = null
        // A hint between the last look at `wanted` and here must not be lost.
        if (this.#wanted && !this.#stopping.signal.aborted) this.wake()
      })
    }
  }

  /** Call it when an event that a follower is behind with may be due. */
  wakeLate(): void {
    if (this.#catchingUp !== null || this.#stopping.signal.aborted) return
    this.#catchingUp = this.#catchUp().finally(() => {
      this.#catchingUp = null
    })
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all([this.#running, this.#catchingUp])
  }

  /** Relays until nothing is left that can be relayed at this moment, backlog included; returns how many events were relayed. */
  async drain(): Promise<number> {
    for (let relayed = 0; ; ) {
      const round = await this.#round()
      relayed += round
      const late = this.#mayBeBehind ? await this.#late.round() : 0
      if (round + late === 0) return relayed
    }
  }

  async #catchUp(): Promise<void> {
    const leave = await this.#options.enterLate()
    try {
      while (!this.#stopping.signal.aborted && (await this.#late.round()) > 0);
    } catch (error) {
      if (error instanceof ShardLost) this.#lost()
      else if (!this.#stopping.signal.aborted)
        this.#options.log.warn({ err: error, shard: this.shard }, 'relay: late events could not be tried')
    } finally {
      leave()
    }
  }

  async #run(): Promise<void> {
    while (this.#wanted && !this.#stopping.signal.aborted) {
      await this.#gather()
      this.#wanted = false
      const leave = await this.#options.enter()
      try {
        if (this.#stopping.signal.aborted) return
        const idleMs = performance.now() - this.#startedAtMs
        this.#startedAtMs += idleMs
        const relayed = await this.#round()
        this.#recent = this.#recent * Math.exp(-idleMs / 1000) + relayed
        if (relayed > 0 && this.#isFull) this.#wanted = true
      } catch (error) {
        await this.#endure(error)
      } finally {
        leave()
      }
    }
  }

  async #gather(): Promise<void> {
    const gather = this.#recent > busyEventsPerSecond ? busyGatherMs : gatherMs
    const waitMs = this.#startedAtMs + gather - performance.now()
    if (waitMs > 0) await this.#sleep(waitMs)
  }

  async #endure(error: unknown): Promise<void> {
    if (error instanceof ShardLost) return this.#lost()
    if (this.#stopping.signal.aborted) return
    this.#options.log.warn(
      { err: error, shard: this.shard },
      'relay: the database did not take a batch; trying again',
    )
    this.#options.metrics.relayBatches.inc({ result: 'failed' })
    this.#wanted = true
    await this.#sleep(troubleMs)
  }

  #lost(): void {
    this.#stopping.abort()
    this.#options.onLost(this)
  }

  async #sleep(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
  }

  /** One batch; never two batches of this shard at once. Returns how many events were relayed. */
  #round(): Promise<number> {
    const round = this.#last.then(() => this.#relay())
    this.#last = round.catch(() => undefined)
    return round
  }

  async #relay(): Promise<number> {
    const rows = (await this.#read()).flatMap(({ ready }) => ready)
    if (rows.length === 0) return 0
    const isDetained = await this.#detained(rows)
    const isTroubled = this.#moments >= momentsMax
    const isSplit = isTroubled || (await this.#commit(rows, { isDetained, isCareful: false })) === null
    if (isSplit) await this.#commit(rows, { isDetained, isCareful: true })
    this.#moments = 0
    return rows.length
  }

  /** Null: a follower failed, and it is still open which one. */
  async #commit(rows: readonly PendingRow[], plan: BatchPlan): Promise<BatchResult | null> {
    const { log, metrics } = this.#options
    const startedMs = performance.now()
    try {
      const result = await commitBatch(this.#options, this, rows, plan)
      await this.#learn(result)
      return result
    } catch (error) {
      // Whether it was committed is not known: the next round finds out.
      this.#mayBeBehind = true
      if (plan.isCareful) await this.#suspect(error)
      if (plan.isCareful || this.#isOfTheMoment(error, performance.now() - startedMs)) throw error
      log.warn(
        { err: error, shard: this.shard, events: rows.length },
        'relay: a batch failed; trying each follower alone',
      )
      metrics.relayBatches.inc({ result: 'split' })
      // guard a-split-batch-goes-on: a follower that fails does not hold up the others
      return null
    }
  }

  async #learn({ leftBehind, followed, failed }: BatchResult): Promise<void> {
    const { clock, log } = this.#options
    this.#endings.clear()
    for (const follower of followed) this.#trust.succeeded(follower)
    for (const { follower, error, tookMs } of failed) {
      log.warn({ err: error, shard: this.shard, follower }, 'relay: a follower failed')
      // Whatever the error was, others had to wait for this follower.
      if (tookMs >= slowMs) this.#trust.distrust(follower, (await clock.now()).getTime())
    }
    if (leftBehind.length === 0) return
    this.#mayBeBehind = true
    this.wakeLate()
  }

  async #read(): Promise<AggregateGroup[]> {
    const { pools, batch } = this.#options
    const quota = Math.max(1, Math.floor(batch / tenantShare))
    const rows = pendingOf(await pools.read(selectPending({ shard: this.shard, quota, limit: batch })))
    this.#isFull = rows.length >= quota
    const groups = groupByAggregate(rows)
    const unread = new Set(groups.filter(({ isCutOff }) => isCutOff).map(({ key }) => key))
    if (unread.size === 0) return groups
    const waiting = rows.filter((row) => row.before_sequence !== null && unread.has(aggregateKey(row)))
    const earlier = await pools.read(
      selectPredecessors({
        shard: this.shard,
        account_ids: waiting.map((row) => row.account_id),
        modes: waiting.map((row) => row.mode),
        aggregate_ids: waiting.map((row) => row.aggregate_id),
        firsts: waiting.map((row) => row.first_sequence),
      }),
    )
    return groupByAggregate([...rows, ...pendingOf(earlier)])
  }

  /** Which of these events a follower gets later. Asks the database nothing while all followers are up to date. */
  async #detained(rows: readonly PendingRow[]): Promise<BatchPlan['isDetained']> {
    if (!this.#mayBeBehind) return () => false
    const { pools } = this.#options
    const shard = this.shard
    const firsts = [...new Map(rows.map((row) => [aggregateKey(row), row])).values()]
    const [[behind], detained] = await Promise.all([
      pools.read(selectIsBehind({ shard })),
      pools.read(
        selectDetained({
          shard,
          followers: allFollowers(this.#options).map(({ name }) => name),
          account_ids: firsts.map((row) => row.account_id),
          modes: firsts.map((row) => row.mode),
          aggregate_ids: firsts.map((row) => row.aggregate_id),
        }),
      ),
    ])
    this.#mayBeBehind = behind?.is_behind ?? true
    const keys = new Set(detained.map((row) => `${row.follower}/${aggregateKey(row)}`))
    // guard late-events-keep-their-order: later events do not overtake those that wait for a follower
    return ({ name }, { tenant, aggregateId }) =>
      !this.#trust.isTrusted(name) || keys.has(`${name}/${tenant.accountId}/${tenant.mode}/${aggregateId}`)
  }

  /**
   * Whether the events did not cause the error: a lost connection, a deadlock, a full disk, a takeover. The same batch may succeed later.
   */
  #isOfTheMoment(error: unknown, tookMs: number): boolean {
    if (error instanceof ShardLost) return true
    this.#moments += 1
    return tookMs < slowMs && (isRetryable(error) || isDatabaseAway(error))
  }

  /** A follower under which the session ends again and again would hold up the shard for ever. */
  async #suspect(error: unknown): Promise<void> {
    if (!(error instanceof EndedUnder)) return
    const endings = (this.#endings.get(error.follower) ?? 0) + 1
    this.#endings.set(error.follower, endings)
    if (endings < endingsMax) return
    this.#trust.distrust(error.follower, (await this.#options.clock.now()).getTime())
    this.#options.log.error(
      { err: error, shard: this.shard, follower: error.follower },
      'relay: the database session ends under a follower; its events wait for it',
    )
  }
}
