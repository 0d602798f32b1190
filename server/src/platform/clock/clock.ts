import { statement } from '../../contract/statement.ts'
import type { Pools } from '../database/pool.ts'

/** Database time: rows, expiries and policy windows use it, whatever a process's own clock says. */
export interface Clock {
  now(): Date | Promise<Date>
  close(): void
}

const readNow = statement<{ now: Date }, Record<never, never>>(
  'read_database_time',
  `select prokura_now() as now`,
)

const resyncMs = 30_000

/**
 * Follows database time by an offset from the process's clock, measured at the start and every half minute, so that a call needs no round
 * trip for it.
 */
export async function createClock(pools: Pools): Promise<Clock> {
  let offsetMs = await measure(pools)
  const timer = setInterval(() => {
    measure(pools).then(
      (measured) => {
        offsetMs = measured
      },
      () => undefined, // the next round measures again; until then the last offset holds
    )
  }, resyncMs)
  timer.unref()
  return { now: () => new Date(Date.now() + offsetMs), close: () => clearInterval(timer) }
}

/** For databases whose clock is advanced by people: asks every time, so that an advance applies to the very next call. */
export function createTestClock(pools: Pools): Clock {
  return {
    now: () => readDatabaseTime(pools),
    close: () => undefined,
  }
}

/** Asks the database; also the cheapest way to find out whether it answers. */
export async function readDatabaseTime(pools: Pick<Pools, 'read'>): Promise<Date> {
  const [row] = await pools.read(readNow({}))
  if (!row) throw new Error('the database did not tell the time')
  return row.now
}

const samples = 5

/**
 * The largest offset that several readings allow. Each reading is older than its arrival, so the estimate never runs ahead of the
 * database: a row that is due "now" is due there, too. The fastest reading is the most exact.
 */
async function measure(pools: Pools): Promise<number> {
  const offsets: number[] = []
  for (let sample = 0; sample < samples; sample++) {
    const now = await readDatabaseTime(pools)
    offsets.push(now.getTime() - Date.now())
  }
  return Math.max(...offsets)
}
