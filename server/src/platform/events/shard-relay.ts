import { setTimeout as delay } from 'node:timers/promises'
import { exponentialSeconds } from '../../core/backoff.ts'
import { isDatabaseAway, isRetryable } from '../database/errors.ts'
import { type AggregateGroup, aggregateKey, groupByAggregate } from './plan-batch.ts'
import {
  countFailure,
  type PendingRow,
  parkAggregate,
  selectPending,
  selectPredecessors,
} from './relay.sql.ts'
import { type BatchDeps, commitBatch, type HeldShard, pointersOf, ShardLost } from './relay-batch.ts'

export type ShardRelayOptions = BatchDeps &
  HeldShard & {
    batch: number
    /** Wait after an event's first failure alone; doubled with each. */
    retryBaseSeconds: number
    /** Bounds how many shards relay at once; returns the way out. */
    enter: () => Promise<() => void>
    onLost: (shard: ShardRelay) => void
  }

/** After this many failures alone, an event's aggregate is set aside and the rest go on. */
const failuresMax = 5
/** Of one tenant before anybody's next: a fourth of a batch. */
const tenantShare = 4
/** The first event after a quiet moment goes at once; what follows gathers for this long. */
const gatherMs = 8
/** A batch costs about as much as fifteen of its events: beyond this many a second more of them share one. */
const busyEventsPerSecond = 75
const busyGatherMs = 25
const troubleMs = 250

/** Relays the events of one held shard, one batch at a time. */
export class ShardRelay {
  readonly shard: number
  readonly epoch: bigint
  readonly #options: ShardRelayOptions
  /** Aggregates whose next event failed alone: not before this monotonic time. */
  readonly #notBefore = new Map<string, number>()
  readonly #stopping = new AbortController()
  #running: Promise<void> | null = null
  #last: Promise<unknown> = Promise.resolve()
  #wanted = false
  /** The last look brought as much as one tenant may have of it: there may be more. Later events come with hints of their own. */
  #isFull = false
  #startedAtMs = 0
  /** Events relayed of late: each counts less as time goes by, a third after a second. */
  #recent = 0

  constructor(options: ShardRelayOptions) {
    this.#options = options
    this.shard = options.shard
    this.epoch = options.epoch
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

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  /** Relays until nothing is left that can go now; answers how many events went. */
  async drain(): Promise<number> {
    for (let relayed = 0; ; ) {
      const round = await this.#round()
      relayed += round
      if (round === 0) return relayed
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
    if (error instanceof ShardLost) {
      this.#stopping.abort()
      this.#options.onLost(this)
      return
    }
    if (this.#stopping.signal.aborted) return
    this.#options.log.warn(
      { err: error, shard: this.shard },
      'relay: the database did not take a batch; trying again',
    )
    this.#options.metrics.relayBatches.inc({ result: 'failed' })
    this.#wanted = true
    await this.#sleep(troubleMs)
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
    const groups = await this.#read()
    const nowMs = performance.now()
    const going = groups.filter(({ key }) => (this.#notBefore.get(key) ?? 0) <= nowMs)
    for (const group of going) {
      if (group.obstacle === 'parked' && group.ready.length === 0) await this.#park(group.key)
    }
    const healthy = going.filter(({ ready }) => ready.every(({ failures }) => failures === 0))
    const together = healthy.flatMap(({ ready }) => ready)
    const failed = await this.#together(together)
    let relayed = failed ? 0 : together.length
    for (const group of failed ? going : going.filter((one) => !healthy.includes(one)))
      relayed += await this.#alone(group)
    return relayed
  }

  async #read(): Promise<AggregateGroup[]> {
    const { pools, batch } = this.#options
    const quota = Math.max(1, Math.floor(batch / tenantShare))
    const rows = await pools.read(selectPending({ shard: this.shard, quota, limit: batch }))
    this.#isFull = rows.length >= quota
    const groups = groupByAggregate(rows)
    const unread = new Set(groups.filter(({ obstacle }) => obstacle === 'unread').map(({ key }) => key))
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

  /** Answers whether the batch failed for a reason of its own, so that its events are to be tried one by one. */
  async #together(rows: readonly PendingRow[]): Promise<boolean> {
    if (rows.length === 0) return false
    try {
      await commitBatch(this.#options, this, rows)
      return false
    } catch (error) {
      if (isOfTheMoment(error)) throw error
      this.#options.log.warn(
        { err: error, shard: this.shard, events: rows.length },
        'relay: a batch failed; trying its events alone',
      )
      this.#options.metrics.relayBatches.inc({ result: 'split' })
      return true
    }
  }

  /** The group's events one by one, up to the first that fails. */
  async #alone(group: AggregateGroup): Promise<number> {
    for (const [index, row] of group.ready.entries()) {
      try {
        await commitBatch(this.#options, this, [row])
        this.#notBefore.delete(group.key)
      } catch (error) {
        if (isOfTheMoment(error)) throw error
        await this.#failed(row, error)
        return index
      }
    }
    return group.ready.length
  }

  async #failed(row: PendingRow, error: unknown): Promise<void> {
    const { pools, log, metrics, retryBaseSeconds } = this.#options
    metrics.relayBatches.inc({ result: 'failed' })
    const { rows } = await pools.single(
      countFailure({ shard: this.shard, epoch: this.epoch, ...pointersOf([row]) }),
    )
    const failures = rows[0]?.failures
    if (failures === undefined) throw new ShardLost(`shard ${this.shard} was taken over`)
    const about = {
      err: error,
      shard: this.shard,
      event: row.id,
      type: row.type,
      aggregate: row.aggregate_id,
      failures,
    }
    if (failures >= failuresMax) {
      log.error(about, 'relay: an event keeps failing; its aggregate is parked')
      await this.#park(aggregateKey(row))
      return
    }
    log.warn(about, 'relay: what follows from an event failed')
    const waitMs = exponentialSeconds(failures, retryBaseSeconds, 30) * 1000
    this.#notBefore.set(aggregateKey(row), performance.now() + waitMs)
    setTimeout(() => this.wake(), waitMs).unref()
  }

  async #park(key: string): Promise<void> {
    this.#notBefore.delete(key)
    const [account_id = '', mode = '', ...rest] = key.split('/')
    const aggregate_id = rest.join('/')
    await this.#options.pools.single(
      parkAggregate({ shard: this.shard, epoch: this.epoch, account_id, mode, aggregate_id }),
    )
  }
}

/**
 * Nothing to do with the events: a lost connection, a deadlock, a full disk, a takeover. The same batch may succeed. Not so a statement
 * that took too long: if one event's always does, it must not hold up the shard for ever.
 */
function isOfTheMoment(error: unknown): boolean {
  return error instanceof ShardLost || isRetryable(error) || isDatabaseAway(error)
}
