import { exponentialSeconds } from '../../core/backoff.ts'
import { type BacklogEvent, countFailure, hastenFollower, parkUntried, selectDue } from './backlog.sql.ts'
import type { Follower, RelayedEvent } from './follower.ts'
import type { FollowerTrust } from './follower-trust.ts'
import { aggregateKey } from './plan-batch.ts'
import { unpackedEvent } from './relay.sql.ts'
import { allFollowers, type BatchDeps, commitLate, type HeldShard, ShardLost } from './relay-batch.ts'

const retrySeconds = { base: 1, max: 15 * 60 }
/** How long a follower fails, or waits while it fails at everything, before an event is parked. */
const parksAfterSeconds = 6 * 3600
const parkedRetrySeconds = 3600
/** How long it fails before somebody should look. */
const alarmAfterMs = 5 * 60_000
/** A follower that has lost its trust is tried with this many aggregates, of as many different tenants as possible. */
const probesMax = 3
const namedMax = 20
const errorMax = 500

/** What a follower is behind with in one aggregate, up to the last event that it may handle now. */
type Group = { key: string; tenant: string; rows: BacklogEvent[] }

type LateFollowersOptions = BatchDeps &
  HeldShard & { batch: number; trust: FollowerTrust; stopping: AbortSignal }

/** Gives followers of one held shard the events that they are behind with, when these are due. */
export class LateFollowers {
  readonly #options: LateFollowersOptions
  readonly #followers: readonly Follower[]
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: LateFollowersOptions) {
    this.#options = options
    this.#followers = allFollowers(options)
  }

  /** One round over what is due; never two rounds at once. Returns how many events were handled. */
  round(): Promise<number> {
    const round = this.#last.then(() => this.#overDue())
    this.#last = round.catch(() => undefined)
    return round
  }

  async #overDue(): Promise<number> {
    const { pools, clock, shard, batch, trust } = this.#options
    const now = await clock.now()
    const known = this.#followers.map(({ name }) => name)
    const followers = known.filter((name) => trust.mayTry(name, now.getTime()))
    const due = await pools.read(selectDue({ shard, known, followers, now, limit: batch }))
    let followed = 0
    for (const follower of this.#followers) {
      const groups = groupsOf(due.filter((row) => row.follower === follower.name))
      if (groups.length > 0) followed += await this.#catchUp(follower, groups)
    }
    return followed
  }

  async #catchUp(follower: Follower, groups: readonly Group[]): Promise<number> {
    const { trust } = this.#options
    if (!trust.isTrusted(follower.name)) {
      for (const { rows } of probesOf(groups)) {
        const [first] = rows
        if (first && (await this.#alone(follower, first))) return 1
      }
      return 0
    }
    const untried = groups.filter(({ rows }) => rows[0]?.tries === 0)
    const isTogether = untried.length > 1 && (await this.#together(follower, untried))
    let followed = isTogether ? untried.reduce((sum, { rows }) => sum + rows.length, 0) : 0
    for (const group of isTogether ? groups.filter((one) => !untried.includes(one)) : groups) {
      for (const row of group.rows) {
        if (this.#options.stopping.aborted) return followed
        // guard late-in-sequence: late events of an aggregate come in sequence
        if (!(await this.#alone(follower, row))) break
        followed++
      }
      if (!trust.isTrusted(follower.name)) break
    }
    return followed
  }

  /** Returns whether all succeeded. If not, nothing was written, and it is still open which of them fail. */
  async #together(follower: Follower, groups: readonly Group[]): Promise<boolean> {
    const { log, shard } = this.#options
    const events = groups.flatMap(({ rows }) => rows.map(unpackedEvent))
    try {
      await commitLate(this.#options, this.#options, follower, events)
    } catch (error) {
      if (error instanceof ShardLost) throw error
      log.debug(
        { err: error, shard, follower: follower.name, events: events.length },
        'relay: late events failed',
      )
      return false
    }
    await this.#succeeded(follower)
    return true
  }

  async #alone(follower: Follower, row: BacklogEvent): Promise<boolean> {
    const { clock, log, shard } = this.#options
    const event = unpackedEvent(row)
    const startedMs = performance.now()
    try {
      const [taken] = await commitLate(this.#options, this.#options, follower, [event])
      if (taken?.failing_since) {
        const failedMs = (await clock.now()).getTime() - taken.failing_since.getTime()
        const level = failedMs >= alarmAfterMs ? 'warn' : 'info'
        const about = { ...describeEvent(follower, event), shard, tries: taken.tries, failedMs }
        log[level](about, 'relay: an event that a follower failed at has been followed')
      }
    } catch (error) {
      if (error instanceof ShardLost) throw error
      await this.#failed(follower, row, error, performance.now() - startedMs)
      return false
    }
    await this.#succeeded(follower)
    return true
  }

  async #succeeded(follower: Follower): Promise<void> {
    const { pools, clock, log, trust, shard, epoch } = this.#options
    const wasDistrusted = !trust.isTrusted(follower.name)
    const isHastened = trust.succeeded(follower.name)
    if (wasDistrusted) log.warn({ shard, follower: follower.name }, 'relay: a follower works again')
    if (!isHastened) return
    await pools.single(hastenFollower({ shard, epoch, follower: follower.name, now: await clock.now() }))
  }

  /** Counted whatever the reason. While the database is away the count fails as well, and that ends the round. */
  async #failed(follower: Follower, row: BacklogEvent, error: unknown, tookMs: number): Promise<void> {
    const { pools, clock, log, metrics, trust, shard, epoch } = this.#options
    const now = await clock.now()
    const after = (seconds: number) => new Date(now.getTime() + seconds * 1000)
    const { rows } = await pools.single(
      countFailure({
        shard,
        epoch,
        follower: follower.name,
        account_id: row.account_id,
        mode: row.mode,
        aggregate_id: row.aggregate_id,
        sequence: row.sequence,
        error: textOf(error),
        now,
        due_at: after(exponentialSeconds(row.tries + 1, retrySeconds.base, retrySeconds.max)),
        parks_after_seconds: parksAfterSeconds,
        parked_due_at: after(parkedRetrySeconds),
      }),
    )
    const [failure] = rows
    if (!failure) throw new ShardLost(`shard ${shard} was taken over`)
    metrics.followerFailures.inc({ follower: follower.name })
    const { tries, failing_since, tried_before, is_newly_parked } = failure
    const about = { err: error, ...describeEvent(follower, unpackedEvent(row)), shard, tries, failing_since }
    const alarmMs = failing_since.getTime() + alarmAfterMs
    const isAlarm = now.getTime() >= alarmMs && (tried_before?.getTime() ?? 0) < alarmMs
    if (is_newly_parked)
      log.error(about, 'relay: an event has failed for hours and is parked; it is tried every hour')
    else if (isAlarm) log.error(about, 'relay: what follows from an event has failed for minutes')
    else
      log[trust.isTrusted(follower.name) ? 'warn' : 'debug'](
        about,
        'relay: what follows from an event failed',
      )
    const aggregate = aggregateKey(row)
    if (trust.failed(follower.name, { aggregate, tookMs, nowMs: now.getTime() }))
      log.error(about, 'relay: a follower fails at everything; its events wait for it')
    if (!trust.isTrusted(follower.name)) await this.#parkUntried(follower, now)
  }

  async #parkUntried(follower: Follower, now: Date): Promise<void> {
    const { pools, log, shard, epoch, batch } = this.#options
    const { rows } = await pools.single(
      parkUntried({
        shard,
        epoch,
        follower: follower.name,
        now,
        parks_after_seconds: parksAfterSeconds,
        limit: batch,
      }),
    )
    if (rows.length === 0) return
    const aggregates = [...new Set(rows.map(({ aggregate_id }) => aggregate_id))]
    log.error(
      { shard, follower: follower.name, events: rows.length, aggregates: aggregates.slice(0, namedMax) },
      'relay: events have waited for hours for a follower that fails, and are parked',
    )
  }
}

/** Each aggregate's events in sequence, up to the first one whose predecessor is missing here. */
function groupsOf(rows: readonly BacklogEvent[]): Group[] {
  const groups = new Map<string, Group>()
  for (const row of [...rows].sort((a, b) => a.sequence - b.sequence)) {
    const key = aggregateKey(row)
    const group = groups.get(key) ?? { key, tenant: `${row.account_id}/${row.mode}`, rows: [] }
    groups.set(key, group)
    if (row.before_sequence === (group.rows.at(-1)?.sequence ?? null)) group.rows.push(row)
  }
  const inOrder = rows.map((row) => groups.get(aggregateKey(row)))
  return [...new Set(inOrder)].flatMap((group) => (group && group.rows.length > 0 ? [group] : []))
}

/**
 * First what a person asked for, then what has been tried least, one aggregate of each tenant: a tenant whose events all fail must not
 * decide for the others.
 */
function probesOf(groups: readonly Group[]): Group[] {
  const hurry = ({ rows }: Group) => (rows[0]?.is_hurried ? 0 : 1)
  const tries = ({ rows }: Group) => rows[0]?.tries ?? 0
  const sorted = [...groups].sort((a, b) => hurry(a) - hurry(b) || tries(a) - tries(b))
  const firsts = sorted.filter(
    (group, at) => sorted.findIndex(({ tenant }) => tenant === group.tenant) === at,
  )
  return [...firsts, ...sorted.filter((group) => !firsts.includes(group))].slice(0, probesMax)
}

function describeEvent(follower: Follower, event: RelayedEvent) {
  const { tenant, id, type, aggregateId, cartId } = event
  const place = { follower: follower.name, event: id, type, aggregate: aggregateId, cart: cartId }
  return { ...place, account: tenant.accountId, mode: tenant.mode }
}

/** The message as text that PostgreSQL accepts, no longer than a person reads. */
function textOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replaceAll('\0', '').slice(0, errorMax)
}
