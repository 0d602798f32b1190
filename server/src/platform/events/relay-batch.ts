import type { IdSource } from '../../core/id.ts'
import { chainEvents, lockChains } from '../audit/chain-events.ts'
import type { Clock } from '../clock/clock.ts'
import type { Pools } from '../database/pool.ts'
import { type DatabaseTransaction, openTransaction } from '../database/transaction.ts'
import type { Faults } from '../faults/faults.ts'
import { type Hints, topics } from '../hints/hints.ts'
import type { Log } from '../logs/logs.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Follower, FollowTransaction, RelayedEvent } from './follower.ts'
import { type PendingRow, type PointerArrays, takePointers, toEvent } from './relay.sql.ts'

export type BatchDeps = {
  pools: Pools
  hints: Hints
  clock: Clock
  newId: IdSource
  /** In the order in which they follow. */
  followers: readonly Follower[]
  log: Log
  metrics: Metrics
  faults: Faults
}

/** A shard as it is held: whoever raises the epoch ends this. */
export type HeldShard = { readonly shard: number; readonly epoch: bigint }

/** Another process has the shard, or has relayed these events: nothing was written. */
export class ShardLost extends Error {
  override readonly name = 'ShardLost'
}

/**
 * One transaction: everything that follows from these events, their audit entries, and their pointers taken away. The pointers are
 * taken under the shard's epoch after the followers have read, so a relay that was held up meanwhile writes nothing.
 */
export async function commitBatch(
  deps: BatchDeps,
  held: HeldShard,
  rows: readonly PendingRow[],
): Promise<void> {
  const events = rows.map(toEvent)
  const kinds = new Set<string>()
  await deps.faults.at('relay.read')
  const transaction = openTransaction(deps.pools)
  try {
    const tx = await followTransaction(deps, transaction, kinds)
    for (const follower of deps.followers) {
      const wanted = wantedBy(follower, events)
      if (wanted.length > 0) await follower.follow(tx, wanted)
    }
    const [answers, heads] = await Promise.all([
      transaction.rows(takePointers({ ...held, ...pointersOf(rows) })),
      transaction.rows(lockChains(events)),
    ])
    if (answers[0]?.taken !== rows.length) throw new ShardLost(`shard ${held.shard} was taken over`)
    for (const write of chainEvents(events, heads)) transaction.write(write)
    await deps.faults.at('relay.commit.before')
    await transaction.commit([])
  } catch (error) {
    await transaction.rollback()
    throw error
  }
  await deps.faults.at('relay.commit.after')
  for (const kind of kinds) deps.hints.publish(topics.work(kind))
  await measure(deps, events)
}

export function pointersOf(rows: readonly PendingRow[]): PointerArrays {
  return {
    lanes: rows.map((row) => row.lane),
    account_ids: rows.map((row) => row.account_id),
    modes: rows.map((row) => row.mode),
    aggregate_ids: rows.map((row) => row.aggregate_id),
    sequences: rows.map((row) => row.sequence),
  }
}

async function followTransaction(
  deps: BatchDeps,
  transaction: DatabaseTransaction,
  kinds: Set<string>,
): Promise<FollowTransaction> {
  const now = await deps.clock.now()
  return {
    rows: (statement) => transaction.rows(statement),
    maybe: async (statement) => (await transaction.rows(statement))[0] ?? null,
    write: (statement) => transaction.write(statement),
    wake: (kind) => void kinds.add(kind),
    now,
    newId: (prefix) => deps.newId(prefix, now.getTime()),
  }
}

function wantedBy({ types }: Follower, events: readonly RelayedEvent[]): readonly RelayedEvent[] {
  return types === undefined ? events : events.filter(({ type }) => types.includes(type))
}

async function measure({ clock, metrics }: BatchDeps, events: readonly RelayedEvent[]): Promise<void> {
  const nowMs = (await clock.now()).getTime()
  for (const { createdAt, type } of events) {
    metrics.relayLag.observe(Math.max(0, nowMs - createdAt.getTime()) / 1000)
    metrics.relayEvents.inc({ type })
  }
  metrics.relayBatches.inc({ result: 'committed' })
}
