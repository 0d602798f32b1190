import type { Pools } from '../database/pool.ts'
import { type BehindAggregate, type BehindState, countBehind, selectBehind } from './backlog.sql.ts'
import { selectLag, selectShards } from './relay.sql.ts'

type RelayStatus = {
  pending: number
  oldestSeconds: number
  /** Shards that some process holds; fewer than all for longer than a lease means that no worker runs. */
  shardsHeld: number
  /** Followers that are behind. */
  followers: FollowerStatus[]
}

export type FollowerStatus = {
  follower: string
  /** What it has not handled: untried, failed, and parked after hours of failures. */
  waiting: number
  failing: number
  parked: number
  oldestSeconds: number
}

/** The state of the relay, for `prokura status` and the metrics. */
export async function relayStatus(pools: Pick<Pools, 'read'>): Promise<RelayStatus> {
  const [lag, shards, followers] = await Promise.all([
    pools.read(selectLag({})),
    pools.read(selectShards({})),
    followersBehind(pools),
  ])
  return {
    pending: Number(lag[0]?.pending ?? 0),
    oldestSeconds: lag[0]?.oldest_seconds ?? 0,
    shardsHeld: shards.filter(({ lease_seconds }) => lease_seconds > 0).length,
    followers,
  }
}

export async function followersBehind(pools: Pick<Pools, 'read'>): Promise<FollowerStatus[]> {
  const rows = await pools.read(countBehind({}))
  const eventsOf = (follower: string, state: BehindState) =>
    rows.find((row) => row.follower === follower && row.state === state)?.events ?? 0
  return [...new Set(rows.map(({ follower }) => follower))].map((follower) => ({
    follower,
    waiting: eventsOf(follower, 'waiting'),
    failing: eventsOf(follower, 'failing'),
    parked: eventsOf(follower, 'parked'),
    oldestSeconds: Math.max(
      ...rows.filter((row) => row.follower === follower).map((row) => row.oldest_seconds),
    ),
  }))
}

/** What followers are behind with, aggregate by aggregate, the oldest first, and how many more there are beyond `limit`. */
export async function listBehind(
  pools: Pick<Pools, 'read'>,
  states: BehindState[],
  limit: number,
): Promise<{ aggregates: BehindAggregate[]; more: number }> {
  const rows = await pools.read(selectBehind({ states, limit }))
  const total = rows[0]?.of_aggregates ?? 0
  return { aggregates: rows, more: total - rows.length }
}
