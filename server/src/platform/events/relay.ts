import { randomUUID } from 'node:crypto'
import { topics } from '../hints/hints.ts'
import { shardCount } from './append-events.ts'
import { acquireShards, releaseShards, renewShards, shardsWithWork } from './relay.sql.ts'
import type { BatchDeps } from './relay-batch.ts'
import { ShardRelay } from './shard-relay.ts'

type RelayOptions = BatchDeps & {
  /** How many milliseconds a shard stays with a process that is silent; then another process takes it. */
  leaseMs?: number
  /** How many events one transaction relays at most. */
  batch?: number
}

export interface Relay {
  /** Takes free shards and relays until it is stopped. */
  start(): void
  /** Finishes the batches under way and gives the shards back. */
  stop(): Promise<void>
  /** Takes the free shards and relays everything that is pending there; returns how many events. */
  runOnce(): Promise<number>
}

const pollMs = 1_000
const leaseMsDefault = 10_000
const batchDefault = 200
/** More would only take connections from requests: all shards write the same log of the database anyway. */
const shardsAtOnce = 4
/** Handling failures may take long, and nothing else waits for it. */
const lateShardsAtOnce = 2

/**
 * Carries events to their followers. Run one in each worker process: each takes the shards that are free, and the shards of a dead
 * process go to the others when their lease ends.
 */
export function createRelay(options: RelayOptions): Relay {
  return new LeasedRelay(options)
}

class LeasedRelay implements Relay {
  readonly #options: RelayOptions
  readonly #leaseMs: number
  readonly #holder = randomUUID()
  readonly #held = new Map<number, ShardRelay>()
  readonly #unsubscribe: (() => void)[] = []
  readonly #timers: NodeJS.Timeout[] = []
  readonly #slots = new Slots(shardsAtOnce)
  readonly #lateSlots = new Slots(lateShardsAtOnce)
  #tending: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(options: RelayOptions) {
    this.#options = options
    this.#leaseMs = options.leaseMs ?? leaseMsDefault
  }

  start(): void {
    for (let shard = 0; shard < shardCount; shard++) {
      this.#unsubscribe.push(this.#options.hints.on(topics.relay(shard), () => this.#held.get(shard)?.wake()))
    }
    this.#every(this.#leaseMs / 4, () => this.#tend())
    this.#every(pollMs, () => this.#poll())
    this.#quietly(this.#tend(), 'could not take shards')
  }

  async stop(): Promise<void> {
    this.#stopped = true
    for (const timer of this.#timers) clearInterval(timer)
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    await this.#tending.catch(() => undefined)
    const held = [...this.#held.values()]
    this.#held.clear()
    this.#options.metrics.relayShards.set(0)
    await Promise.all(held.map((shard) => shard.stop()))
    if (held.length === 0) return
    const { shards, epochs } = leasesOf(held)
    // Best effort: a lease that is not given back ends by itself.
    await this.#options.pools
      .single(releaseShards({ holder: this.#holder, shards, epochs }))
      .catch((error: unknown) => this.#options.log.warn({ err: error }, 'relay: shards were not given back'))
  }

  async runOnce(): Promise<number> {
    await this.#tend()
    let relayed = 0
    for (const shard of this.#held.values()) relayed += await shard.drain()
    return relayed
  }

  #every(ms: number, work: () => Promise<void>): void {
    this.#timers.push(
      setInterval(() => this.#quietly(work(), 'relay: the database did not answer'), ms).unref(),
    )
  }

  #quietly(work: Promise<void>, message: string): void {
    work.catch((error: unknown) => {
      if (!this.#stopped) this.#options.log.warn({ err: error }, message)
    })
  }

  /** Renews the shards that it holds and takes free ones, one round at a time. */
  #tend(): Promise<void> {
    const round = this.#tending.then(() => this.#keepAndTake())
    this.#tending = round.catch(() => undefined)
    return round
  }

  async #keepAndTake(): Promise<void> {
    if (this.#stopped) return
    await this.#renew()
    if (this.#held.size < shardCount) await this.#acquire()
    this.#options.metrics.relayShards.set(this.#held.size)
  }

  async #renew(): Promise<void> {
    const held = [...this.#held.values()]
    if (held.length === 0) return
    const { shards, epochs } = leasesOf(held)
    const { rows } = await this.#options.pools.single(
      renewShards({ holder: this.#holder, shards, epochs, lease_ms: this.#leaseMs }),
    )
    const kept = new Set(rows.map(({ shard }) => shard))
    for (const relay of held) if (!kept.has(relay.shard)) this.#lose(relay)
  }

  async #acquire(): Promise<void> {
    const { rows } = await this.#options.pools.single(
      acquireShards({ holder: this.#holder, lease_ms: this.#leaseMs }),
    )
    for (const { shard, epoch } of rows) {
      const lost = this.#held.get(shard)
      if (lost) this.#lose(lost)
      const relay = new ShardRelay({
        ...this.#options,
        shard,
        epoch,
        batch: this.#options.batch ?? batchDefault,
        enter: () => this.#slots.enter(),
        enterLate: () => this.#lateSlots.enter(),
        onLost: (gone) => this.#lose(gone),
      })
      this.#held.set(shard, relay)
      if (this.#timers.length > 0) relay.wake()
    }
    if (rows.length > 0)
      this.#options.log.debug({ shards: rows.map(({ shard }) => shard) }, 'relay: took shards')
  }

  #lose(relay: ShardRelay): void {
    if (this.#held.get(relay.shard) !== relay) return
    this.#held.delete(relay.shard)
    this.#options.metrics.relayShards.set(this.#held.size)
    this.#quietly(relay.stop(), 'relay: a lost shard ended badly')
    this.#options.log.warn({ shard: relay.shard }, 'relay: another process took this shard')
  }

  /** For hints that were lost, and for events of the backlog when they fall due. */
  async #poll(): Promise<void> {
    const shards = [...this.#held.keys()]
    if (shards.length === 0) return
    const now = await this.#options.clock.now()
    for (const { shard, is_pending, is_due } of await this.#options.pools.read(
      shardsWithWork({ shards, now }),
    )) {
      if (is_pending) this.#held.get(shard)?.wake()
      if (is_due) this.#held.get(shard)?.wakeLate()
    }
  }
}

function leasesOf(held: readonly ShardRelay[]): { shards: number[]; epochs: string[] } {
  return { shards: held.map(({ shard }) => shard), epochs: held.map(({ epoch }) => epoch.toString()) }
}

/** Lets a few enter at once, in the order of arrival. */
class Slots {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  /** Returns the function that gives the place back. */
  async enter(): Promise<() => void> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    let left = false
    return () => {
      if (left) return
      left = true
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }
}
