import { setTimeout as delay } from 'node:timers/promises'
import { isDatabaseAway, isRetryable } from '../database/errors.ts'
import { selectDetained, selectIsBehind } from './backlog.sql.ts'
import { FollowerTrust } from './follower-trust.ts'
import { LateFollowers } from './late-followers.ts'
import { type AggregateGroup, aggregateKey, groupByAggregate } from './plan-batch.ts'
import { type PendingRow, selectPending, selectPredecessors } from './relay.sql.ts'
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

export type ShardRelayOptions = BatchDeps &
  HeldShard & {
    batch: number
    /** Bounds how many shards relay at once; returns the way out. */
    enter: () => Promise<() => void>
    /** The same for what followers are behind with: it may take long, and nobody may wait for that. */
    enterLate: () => Promise<() => void>
    onLost: (shard: ShardRelay) => void
  }

/** Of one tenant before anybody's next: a fourth of a batch. */
const tenantShare = 4
/** The first event after a quiet moment goes at once; what follows gathers for this long. */
const gatherMs = 8
/** A batch costs about as much as fifteen of its events: beyond this many a second more of them share one. */
const busyEventsPerSecond = 75
const busyGatherMs = 25
const troubleMs = 250
/** A deadlock or a lost connection is nobody's fault, once or twice; after that whoever fails is looked for. */
const momentsMax = 3
/** What fails after so long must not fail again and again: others wait. */
const slowMs = 1_000
/** So often may the session end under the same follower before it is asked by itself. */
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
  /** The last look brought as much as one tenant may have of it: there may be more. Later events come with hints of their own. */
  #isFull = false
  #startedAtMs = 0
  /** Events relayed of late: each counts less as time goes by, a third after a second. */
  #recent = 0
  /** Whether a follower may be behind: it is until one look says otherwise, since others held the shard before. */
  #mayBeBehind = true
  /** Failures of the moment in a row. */
  #moments = 0
  readonly #endings = new Map<string, number>()
  #catchingUp: Promise<void> | null = null

  constructor(options: ShardRelayOptions) {
    this.#options = options
    this.shard = options.shard
    this.epoch = options.epoch
    this.#late = new LateFollowers({ ...options, trust: this.#trust, stopping: this.#stopping.signal })
  }

  /** Something may be pending. */
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

  /** Something that a follower is behind with may be due. */
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

  /** Relays until nothing is left that can go now, late events too; answers how many events went. */
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

  /** One batch, never beside another of this shard; answers how many events went. */
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

  /** Null: a follower failed, and it is to be found out which. */
  async #commit(rows: readonly PendingRow[], plan: BatchPlan): Promise<BatchResult | null> {
    const { log, metrics } = this.#options
    const startedMs = performance.now()
    try {
      const result = await commitBatch(this.#options, this, rows, plan)
      await this.#learn(result)
      return result
    } catch (error) {
      // Whether it was committed is not known: the next round looks.
      this.#mayBeBehind = true
      if (plan.isCareful) await this.#suspect(error)
      if (plan.isCareful || this.#isOfTheMoment(error, performance.now() - startedMs)) throw error
      log.warn(
        { err: error, shard: this.shard, events: rows.length },
        'relay: a batch failed; trying each follower alone',
      )
      metrics.relayBatches.inc({ result: 'split' })
      return null
    }
  }

  async #learn({ leftBehind, followed, failed }: BatchResult): Promise<void> {
    const { clock, log } = this.#options
    this.#endings.clear()
    for (const follower of followed) this.#trust.succeeded(follower)
    for (const { follower, error, tookMs } of failed) {
      log.warn({ err: error, shard: this.shard, follower }, 'relay: a follower failed')
      // Whatever it was, others had to wait for it.
      if (tookMs >= slowMs) this.#trust.distrust(follower, (await clock.now()).getTime())
    }
    if (leftBehind.length === 0) return
    this.#mayBeBehind = true
    this.wakeLate()
  }

  async #read(): Promise<AggregateGroup[]> {
    const { pools, batch } = this.#options
    const quota = Math.max(1, Math.floor(batch / tenantShare))
    const rows = await pools.read(selectPending({ shard: this.shard, quota, limit: batch }))
    this.#isFull = rows.length >= quota
    const groups = groupByAggregate(rows)
    const unread = new Set(groups.filter(({ isCutOff }) => isCutOff).map(({ key }) => key))
    if (unread.size === 0) return groups
    const waiting = rows.filter((row) => row.before_id !== null && unread.has(aggregateKey(row)))
    const earlier = await pools.read(
      selectPredecessors({
        shard: this.shard,
        account_ids: waiting.map((row) => row.account_id),
        modes: waiting.map((row) => row.mode),
        aggregate_ids: waiting.map((row) => row.aggregate_id),
        sequences: waiting.map((row) => row.sequence),
      }),
    )
    return groupByAggregate([...rows, ...earlier])
  }

  /** Which of these events a follower is to have later. Asks nothing of the database while all followers are up to date. */
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
    return ({ name }, { tenant, aggregateId }) =>
      !this.#trust.isTrusted(name) || keys.has(`${name}/${tenant.accountId}/${tenant.mode}/${aggregateId}`)
  }

  /** Nothing to do with the events: a lost connection, a deadlock, a full disk, a takeover. The same batch may succeed. */
  #isOfTheMoment(error: unknown, tookMs: number): boolean {
    if (error instanceof ShardLost) return true
    this.#moments += 1
    return tookMs < slowMs && (isRetryable(error) || isDatabaseAway(error))
  }

  /** A follower under which the session keeps ending would hold up the shard for ever. */
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
