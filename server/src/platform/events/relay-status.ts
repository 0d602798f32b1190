import type { Pools } from '../database/pool.ts'
import { type ParkedAggregate, selectLag, selectParked, selectShards, unpark } from './relay.sql.ts'

export type RelayStatus = {
  pending: number
  oldestSeconds: number
  /** Shards that some process holds; fewer than all for longer than a lease means that no worker runs. */
  shardsHeld: number
  parked: ParkedAggregate[]
}

const parkedMax = 100

/** How the relay does, for `prokura status`. */
export async function relayStatus(pools: Pick<Pools, 'read'>): Promise<RelayStatus> {
  const [lag, shards, parked] = await Promise.all([
    pools.read(selectLag({})),
    pools.read(selectShards({})),
    pools.read(selectParked({ limit: parkedMax })),
  ])
  return {
    pending: Number(lag[0]?.pending ?? 0),
    oldestSeconds: lag[0]?.oldest_seconds ?? 0,
    shardsHeld: shards.filter(({ lease_seconds }) => lease_seconds > 0).length,
    parked,
  }
}

/** Has parked events tried again, once what made them fail is mended; answers how many. The relay finds them by its poll. */
export async function unparkEvents(
  pools: Pick<Pools, 'single'>,
  aggregateId: string | null,
): Promise<number> {
  const { rows } = await pools.single(unpark({ aggregate_id: aggregateId }))
  return rows.length
}
