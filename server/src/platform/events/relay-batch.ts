import type { IdSource } from '../../core/id.ts'
import type { AuditKeys } from '../audit/audit-keys.ts'
import { batchArrays } from '../audit/batches.sql.ts'
import {
  batchesOnKnownEnds,
  chainEvents,
  chained,
  followByChaining,
  learnEnds,
} from '../audit/chain-events.ts'
import type { Clock } from '../clock/clock.ts'
import type { Pools } from '../database/pool.ts'
import { type DatabaseTransaction, inTransaction } from '../database/transaction.ts'
import type { Faults } from '../faults/faults.ts'
import { type Hints, topics } from '../hints/hints.ts'
import type { Log } from '../logs/logs.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { type BacklogArrays, insertBacklog, takeBacklog } from './backlog.sql.ts'
import { boundStatements, checkAtOnce } from './bounds.sql.ts'
import type { ChainedEvent, Follower, FollowTransaction, RelayedEvent } from './follower.ts'
import {
  type OutboxKeys,
  type PendingEvent,
  type PendingRow,
  selectWholeEvents,
  takeChained,
  takeRelayed,
  unpackedEvent,
} from './relay.sql.ts'

export type BatchDeps = {
  pools: Pools
  hints: Hints
  clock: Clock
  newId: IdSource
  /** In the order in which they run. */
  followers: readonly Follower[]
  /** They sign the audit chain, which runs after all followers. */
  auditKeys: AuditKeys
  log: Log
  metrics: Metrics
  faults: Faults
}

/** A shard as this process holds it: a process that raises the epoch ends this. */
export type HeldShard = { readonly shard: number; readonly epoch: bigint }

/** Another process has the shard, or has relayed these events: nothing was written. */
export class ShardLost extends Error {
  override readonly name = 'ShardLost'
}

/** What a follower is behind with. */
type LeftBehind = { readonly follower: string; readonly event: RelayedEvent }

export type BatchPlan = {
  /** Whether a follower gets an event later: it fails, or has not handled the events before it. */
  isDetained(follower: Follower, event: Pick<RelayedEvent, 'tenant' | 'aggregateId'>): boolean
  /**
   * Whether each follower runs by itself, within bounds, so that a failure names its follower. It costs a round trip for each follower.
   */
  isCareful: boolean
}

export type BatchResult = {
  leftBehind: readonly LeftBehind[]
  /** The followers that had events to handle and handled them. */
  followed: readonly string[]
  failed: readonly { follower: string; error: unknown; tookMs: number }[]
}

/** The session ended while this follower ran. Whether the follower caused it is clear only when it happens again. */
export class EndedUnder extends Error {
  override readonly name = 'EndedUnder'
  readonly follower: string

  constructor(follower: string, cause: unknown) {
    super(`the database session ended under ${follower}`, { cause })
    this.follower = follower
  }
}

/** Where each follower runs by itself, the others wait for it, so no statement may wait or work for longer than this. */
const bounds = { statement_ms: '5s', lock_ms: '2s' }

/** Every follower, the audit chain as the last. */
export function allFollowers({
  followers,
  auditKeys,
}: Pick<BatchDeps, 'followers' | 'auditKeys'>): readonly Follower[] {
  return [...followers, followByChaining(auditKeys)]
}

/**
 * One transaction: everything that follows from these events, their audit entries, and the removal of their rows from the outbox. They are
 * removed under the shard's epoch after the followers have read, so a relay that was held up meanwhile writes nothing.
 */
export async function commitBatch(
  deps: BatchDeps,
  held: HeldShard,
  rows: readonly PendingRow[],
  plan: BatchPlan,
): Promise<BatchResult> {
  const chain = followByChaining(deps.auditKeys)
  // Where nothing but the chain is left, it takes the digest that the writer has computed: unless the events go to it as a follower.
  const isWhole = (row: PendingRow) => plan.isCareful || plan.isDetained(chain, aggregateOf(row))
  const [{ pending, events, digested }, now] = await Promise.all([
    eventsOf(deps, held, rows, isWhole),
    deps.clock.now(),
  ])
  const sharing = new Sharing(events, plan)
  await deps.faults.at('relay.read')
  if (!plan.isCareful && sharing.isForChainAlone(deps)) {
    const all = [...digested, ...sharing.givenTo(chain).map(chained)]
    if (await commitChained(deps, held, rows, { events: all, now })) {
      sharing.hasFollowed(chain)
      await measure(deps, pending)
      return sharing
    }
  }
  await followTogether(deps, now, async (transaction, tx) => {
    const takeAll = () => transaction.rows(takeRelayed({ ...held, ...keysOf(rows) }))
    let taken: { taken: number } | undefined
    if (plan.isCareful) {
      await followCarefully(transaction, tx, allFollowers(deps), sharing)
      taken = (await takeAll())[0]
    } else {
      for (const follower of deps.followers) await sharing.giveTo(follower, tx)
      // In one round trip with the rows of the outbox.
      const events = [...digested, ...sharing.givenTo(chain).map(chained)]
      const [answers] = await Promise.all([takeAll(), chainEvents(deps.auditKeys, tx, events)])
      taken = answers[0]
      for (const follower of allFollowers(deps)) sharing.hasFollowed(follower)
    }
    // guard relay-takes-all: the rows that follow an event are written once
    if (taken?.taken !== rows.length) throw new ShardLost(`shard ${held.shard} was taken over`)
    // guard left-behind-is-written: an event that a follower failed at is not lost
    if (sharing.leftBehind.length > 0) transaction.write(leaveBehind(held, sharing.leftBehind, now))
    await deps.faults.at('relay.commit.before')
  })
  await measure(deps, pending)
  return sharing
}

/** Events that only the chain gets, in one statement. False: a chain was continued elsewhere, or the shard is lost; nothing was written. */
async function commitChained(
  { pools, auditKeys, faults }: BatchDeps,
  held: HeldShard,
  rows: readonly PendingRow[],
  { events, now }: { events: readonly ChainedEvent[]; now: Date },
): Promise<boolean> {
  const batches = batchesOnKnownEnds(auditKeys, events, now)
  if (batches === null) return false
  await faults.at('relay.commit.before')
  const { shard, epoch } = held
  const {
    rows: [answer],
  } = await pools.single(takeChained({ shard, epoch, ...keysOf(rows), ...batchArrays(batches) }))
  if (!answer?.is_taken) return false
  learnEnds(auditKeys, batches)
  await faults.at('relay.commit.after')
  return true
}

/** Handles events that one follower was behind with: one transaction, as above. Returns what is known of its failures. */
export async function commitLate(
  deps: BatchDeps,
  held: HeldShard,
  follower: Follower,
  events: readonly RelayedEvent[],
) {
  const now = await deps.clock.now()
  await deps.faults.at('relay.read')
  return followTogether(deps, now, async (transaction, tx) => {
    transaction.write(checkAtOnce({}))
    await transaction.rows(boundStatements(bounds))
    await follower.follow(tx, events)
    const taken = await transaction.rows(
      takeBacklog({ ...held, ...backlogOf(events.map((event) => ({ follower: follower.name, event }))) }),
    )
    // guard late-takes-all: rows that follow an event late are written once
    if (taken.length !== events.length) throw new ShardLost(`shard ${held.shard} was taken over`)
    await deps.faults.at('relay.commit.before')
    return taken
  })
}

type Read = {
  /** All of them. */
  pending: PendingEvent[]
  /** Those that followers want, whole. */
  events: RelayedEvent[]
  /** The others. */
  digested: ChainedEvent[]
}

/** The events of these rows. Reads only what those of `isWhole` say, where it was not read with them. */
async function eventsOf(
  { pools }: Pick<BatchDeps, 'pools'>,
  { shard }: HeldShard,
  rows: readonly PendingRow[],
  isWhole: (row: PendingRow) => boolean,
): Promise<Read> {
  const lacking = rows.filter((row) => row.is_followed && isWhole(row))
  const lasts = lacking.map((row) => row.last_sequence)
  const whole =
    lacking.length === 0 ? [] : await pools.read(selectWholeEvents({ shard, ...keysOf(lacking), lasts }))
  const known = new Map(whole.map((row) => [row.id, row]))
  const pending = rows.flatMap(({ events }) => events.map((event) => known.get(event.id) ?? event))
  const read: Read = { pending, events: [], digested: [] }
  for (const row of pending) {
    const { object_bytes } = row
    if (object_bytes !== null) read.events.push(unpackedEvent({ ...row, object_bytes }))
    else if (row.digest !== null)
      read.digested.push({ ...aggregateOf(row), ...aboutOf(row), digest: row.digest })
    else throw new Error(`the event ${row.id} has neither its object nor its digest in the outbox`)
  }
  return read
}

function aggregateOf({
  account_id,
  mode,
  aggregate_id,
}: Pick<PendingRow, 'account_id' | 'mode' | 'aggregate_id'>) {
  return { tenant: { accountId: account_id, mode }, aggregateId: aggregate_id }
}

function aboutOf({ id, type, sequence, created_at }: PendingEvent) {
  return { id, type, sequence, createdAt: created_at }
}

function keysOf(rows: readonly PendingRow[]): OutboxKeys {
  return {
    lanes: rows.map((row) => row.lane),
    account_ids: rows.map((row) => row.account_id),
    modes: rows.map((row) => row.mode),
    aggregate_ids: rows.map((row) => row.aggregate_id),
    firsts: rows.map((row) => row.first_sequence),
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

/** Which followers get which events of a batch, and how each of them ended. */
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

  givenTo(follower: Follower): readonly RelayedEvent[] {
    return this.#shareOf(follower).given
  }

  /** Whether no follower but the chain has an event to handle, now or later. */
  isForChainAlone({ followers, auditKeys }: Pick<BatchDeps, 'followers' | 'auditKeys'>): boolean {
    const isUntouched = (follower: Follower) => {
      const { given, detained } = this.#shareOf(follower)
      return given.length + detained.length === 0
    }
    return followers.every(isUntouched) && this.#shareOf(followByChaining(auditKeys)).detained.length === 0
  }

  /** It has handled the events that it was given. */
  hasFollowed(follower: Follower): void {
    const { given, detained } = this.#shareOf(follower)
    if (given.length > 0) this.followed.push(follower.name)
    this.#leave(follower, detained)
  }

  /** All events that it wanted are left for later; which of them it can handle is found out then. */
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
      if (event.isDelivered && follower.atOnce !== undefined) continue
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
  // guard checked-at-once: a constraint that is checked at the commit fails only the follower that broke it
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

/** Commits everything that `work` does, or nothing; afterwards wakes the workers. */
async function followTogether<T>(
  deps: BatchDeps,
  now: Date,
  work: (transaction: DatabaseTransaction, tx: FollowTransaction) => Promise<T>,
): Promise<T> {
  const kinds = new Set<string>()
  const result = await inTransaction(deps.pools, (transaction) =>
    work(transaction, {
      rows: (statement) => transaction.rows(statement),
      maybe: async (statement) => (await transaction.rows(statement))[0] ?? null,
      write: (statement) => transaction.write(statement),
      wake: (kind) => void kinds.add(kind),
      now,
      newId: (prefix) => deps.newId(prefix, now.getTime()),
    }),
  )
  await deps.faults.at('relay.commit.after')
  for (const kind of kinds) deps.hints.publish(topics.work(kind))
  return result
}

async function measure({ clock, metrics }: BatchDeps, events: readonly PendingEvent[]): Promise<void> {
  const nowMs = (await clock.now()).getTime()
  for (const { created_at, type } of events) {
    metrics.relayLag.observe(Math.max(0, nowMs - created_at.getTime()) / 1000)
    metrics.relayEvents.inc({ type })
  }
  metrics.relayBatches.inc({ result: 'committed' })
}
