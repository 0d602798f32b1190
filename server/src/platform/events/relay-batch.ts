import type { IdSource } from '../../core/id.ts'
import type { AuditKeys } from '../audit/audit-keys.ts'
import { followByChaining } from '../audit/chain-events.ts'
import type { Clock } from '../clock/clock.ts'
import type { Pools } from '../database/pool.ts'
import { type DatabaseTransaction, openTransaction } from '../database/transaction.ts'
import type { Faults } from '../faults/faults.ts'
import { type Hints, topics } from '../hints/hints.ts'
import type { Log } from '../logs/logs.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { type BacklogArrays, insertBacklog, takeBacklog } from './backlog.sql.ts'
import { boundStatements, checkAtOnce } from './bounds.sql.ts'
import type { Follower, FollowTransaction, RelayedEvent } from './follower.ts'
import { type PendingRow, type PointerArrays, takePointers, toEvent } from './relay.sql.ts'

export type BatchDeps = {
  pools: Pools
  hints: Hints
  clock: Clock
  newId: IdSource
  /** In the order in which they follow. */
  followers: readonly Follower[]
  /** Sign the audit chain, which follows after all of them. */
  auditKeys: AuditKeys
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

/** What a follower is behind with. */
export type LeftBehind = { readonly follower: string; readonly event: RelayedEvent }

export type BatchPlan = {
  /** Whether a follower is to have an event later: it fails, or has not followed what came before it. */
  isDetained(follower: Follower, event: RelayedEvent): boolean
  /** Each follower by itself, within bounds, so that one that fails is told from the others. Costs a round trip each. */
  isCareful: boolean
}

export type BatchResult = {
  leftBehind: readonly LeftBehind[]
  /** Followers that had something to follow, and did. */
  followed: readonly string[]
  failed: readonly { follower: string; error: unknown; tookMs: number }[]
}

/** A session that ended under a follower: whether it is to blame shows when it happens again. */
export class EndedUnder extends Error {
  override readonly name = 'EndedUnder'
  readonly follower: string

  constructor(follower: string, cause: unknown) {
    super(`the database session ended under ${follower}`, { cause })
    this.follower = follower
  }
}

/** Where each follower stands by itself, others wait for it: no statement may wait or work for longer. */
const bounds = { statement_ms: '5s', lock_ms: '2s' }

/** Every follower, the audit chain as the last. */
export function allFollowers({
  followers,
  auditKeys,
}: Pick<BatchDeps, 'followers' | 'auditKeys'>): readonly Follower[] {
  return [...followers, followByChaining(auditKeys)]
}

/**
 * One transaction: everything that follows from these events, their audit entries, and their pointers taken away. The pointers are
 * taken under the shard's epoch after the followers have read, so a relay that was held up meanwhile writes nothing.
 */
export async function commitBatch(
  deps: BatchDeps,
  held: HeldShard,
  rows: readonly PendingRow[],
  plan: BatchPlan,
): Promise<BatchResult> {
  const events = rows.map(toEvent)
  const now = await deps.clock.now()
  const sharing = new Sharing(events, plan)
  await deps.faults.at('relay.read')
  await inTransaction(deps, now, async (transaction, tx) => {
    const takeAll = () => transaction.rows(takePointers({ ...held, ...pointersOf(rows) }))
    let taken: { taken: number } | undefined
    if (plan.isCareful) {
      await followCarefully(transaction, tx, allFollowers(deps), sharing)
      taken = (await takeAll())[0]
    } else {
      for (const follower of deps.followers) await sharing.giveTo(follower, tx)
      // In one round trip with the pointers.
      const [answers] = await Promise.all([takeAll(), sharing.giveTo(followByChaining(deps.auditKeys), tx)])
      taken = answers[0]
      for (const follower of allFollowers(deps)) sharing.hasFollowed(follower)
    }
    if (taken?.taken !== rows.length) throw new ShardLost(`shard ${held.shard} was taken over`)
    if (sharing.leftBehind.length > 0) transaction.write(leaveBehind(held, sharing.leftBehind, now))
    await deps.faults.at('relay.commit.before')
  })
  await measure(deps, events)
  return sharing
}

/** What a follower was behind with, followed now: one transaction, as before. Answers what is known of its failures. */
export async function commitLate(
  deps: BatchDeps,
  held: HeldShard,
  follower: Follower,
  events: readonly RelayedEvent[],
) {
  const now = await deps.clock.now()
  await deps.faults.at('relay.read')
  return inTransaction(deps, now, async (transaction, tx) => {
    transaction.write(checkAtOnce({}))
    await transaction.rows(boundStatements(bounds))
    await follower.follow(tx, events)
    const taken = await transaction.rows(
      takeBacklog({ ...held, ...backlogOf(events.map((event) => ({ follower: follower.name, event }))) }),
    )
    if (taken.length !== events.length) throw new ShardLost(`shard ${held.shard} was taken over`)
    await deps.faults.at('relay.commit.before')
    return taken
  })
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

function backlogOf(behind: readonly LeftBehind[]): BacklogArrays {
  return {
    followers: behind.map(({ follower }) => follower),
    account_ids: behind.map(({ event }) => event.tenant.accountId),
    modes: behind.map(({ event }) => event.tenant.mode),
    aggregate_ids: behind.map(({ event }) => event.aggregateId),
    sequences: behind.map(({ event }) => event.sequence),
  }
}

function leaveBehind({ shard }: HeldShard, behind: readonly LeftBehind[], now: Date) {
  return insertBacklog({ ...backlogOf(behind), shard, event_ids: behind.map(({ event }) => event.id), now })
}

/** Who is given which events of a batch, and what became of it. */
class Sharing implements BatchResult {
  readonly leftBehind: LeftBehind[] = []
  readonly followed: string[] = []
  readonly failed: BatchResult['failed'][number][] = []
  readonly #events: readonly RelayedEvent[]
  readonly #plan: BatchPlan
  readonly #shares = new Map<Follower, Share>()

  constructor(events: readonly RelayedEvent[], plan: BatchPlan) {
    this.#events = events
    this.#plan = plan
  }

  async giveTo(follower: Follower, tx: FollowTransaction): Promise<void> {
    const { given } = this.#shareOf(follower)
    if (given.length > 0) await follower.follow(tx, given)
  }

  /** It has followed what it was given. */
  hasFollowed(follower: Follower): void {
    const { given, detained } = this.#shareOf(follower)
    if (given.length > 0) this.followed.push(follower.name)
    this.#leave(follower, detained)
  }

  /** It is left behind with all that it wanted; what of that it can follow is found out later. */
  hasFailed(follower: Follower, error: unknown, tookMs: number): void {
    const { given, detained } = this.#shareOf(follower)
    this.failed.push({ follower: follower.name, error, tookMs })
    this.#leave(follower, [...given, ...detained])
  }

  #shareOf(follower: Follower): Share {
    const known = this.#shares.get(follower)
    if (known) return known
    const { types } = follower
    const share: Share = { given: [], detained: [] }
    for (const event of this.#events) {
      if (types !== undefined && !types.includes(event.type)) continue
      share[this.#plan.isDetained(follower, event) ? 'detained' : 'given'].push(event)
    }
    this.#shares.set(follower, share)
    return share
  }

  #leave({ name }: Follower, events: readonly RelayedEvent[]): void {
    for (const event of events) this.leftBehind.push({ follower: name, event })
  }
}

type Share = { given: RelayedEvent[]; detained: RelayedEvent[] }

async function followCarefully(
  transaction: DatabaseTransaction,
  tx: FollowTransaction,
  followers: readonly Follower[],
  sharing: Sharing,
): Promise<void> {
  transaction.write(checkAtOnce({}))
  await transaction.rows(boundStatements(bounds))
  for (const follower of followers) {
    const startedMs = performance.now()
    const failure = await transaction
      .attempt(() => sharing.giveTo(follower, tx))
      .catch((error: unknown) => {
        throw new EndedUnder(follower.name, error)
      })
    if (failure) sharing.hasFailed(follower, failure.error, performance.now() - startedMs)
    else sharing.hasFollowed(follower)
  }
}

/** Commits what `work` does, or nothing of it; tells workers afterwards. */
async function inTransaction<T>(
  deps: BatchDeps,
  now: Date,
  work: (transaction: DatabaseTransaction, tx: FollowTransaction) => Promise<T>,
): Promise<T> {
  const kinds = new Set<string>()
  const transaction = openTransaction(deps.pools)
  let result: T
  try {
    result = await work(transaction, {
      rows: (statement) => transaction.rows(statement),
      maybe: async (statement) => (await transaction.rows(statement))[0] ?? null,
      write: (statement) => transaction.write(statement),
      wake: (kind) => void kinds.add(kind),
      now,
      newId: (prefix) => deps.newId(prefix, now.getTime()),
    })
    await transaction.commit([])
  } catch (error) {
    await transaction.rollback()
    throw error
  }
  await deps.faults.at('relay.commit.after')
  for (const kind of kinds) deps.hints.publish(topics.work(kind))
  return result
}

async function measure({ clock, metrics }: BatchDeps, events: readonly RelayedEvent[]): Promise<void> {
  const nowMs = (await clock.now()).getTime()
  for (const { createdAt, type } of events) {
    metrics.relayLag.observe(Math.max(0, nowMs - createdAt.getTime()) / 1000)
    metrics.relayEvents.inc({ type })
  }
  metrics.relayBatches.inc({ result: 'committed' })
}
