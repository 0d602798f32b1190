import { statement } from '../../contract/statement.ts'

/** A worker that has been silent for this many seconds is taken for dead: three announcements are missing. */
const silentSeconds = 30

// guard silent-workers-serve-nothing: work of a dead worker is named when no other worker can do it
const isAlive = `seen_at > clock_timestamp() - interval '${silentSeconds} seconds'`

/** What live workers serve, for statements that look for rows that no worker serves: `need` as `needOf` writes it. */
export const servedNeeds = `select distinct unnest(serves) as need from workers where ${isAlive}`

/**
 * Uses real time, not the database's test clock: a test clock that is moved ahead must kill no worker. Workers that have been gone for
 * long are forgotten.
 */
export const announceWorker = statement<never, { id: string; serves: readonly string[] }>(
  'announce_worker',
  `/* tenantless: a worker serves every account */
   with gone as (delete from workers where seen_at < clock_timestamp() - interval '1 hour')
   insert into workers (id, serves, started_at, seen_at) values ($id, $serves, clock_timestamp(), clock_timestamp())
   on conflict (id) do update set serves = excluded.serves, seen_at = excluded.seen_at`,
)

export const forgetWorker = statement<never, { id: string }>(
  'forget_worker',
  '/* tenantless: a worker serves every account */ delete from workers where id = $id',
)

type LiveWorker = { id: string; serves: string[]; started_at: Date; silent_seconds: number }

/** The oldest first. */
export const selectLiveWorkers = statement<LiveWorker, Record<never, never>>(
  'select_live_workers',
  `/* tenantless: a worker serves every account */
   select id, serves, started_at, extract(epoch from clock_timestamp() - seen_at)::float8 as silent_seconds
   from workers where ${isAlive} order by started_at, id`,
)

export const forgetSilentWorkers = statement<never, { limit: number }>(
  'forget_silent_workers',
  `/* tenantless: a worker serves every account */
   delete from workers where id in (
     select id from workers where seen_at < clock_timestamp() - interval '1 hour' order by id limit $limit for update skip locked)`,
)
