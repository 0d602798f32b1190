import type { Clock } from '../clock/clock.ts'
import type { Log } from '../logs/logs.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { keptSince, type Retention } from './retention.ts'
import type { Sweep, SweepPools, Swept } from './sweep.ts'
import { beginSweep, endSweep } from './sweeps.sql.ts'

export type SweepDeps = {
  pools: SweepPools
  clock: Pick<Clock, 'now'>
  log: Log
  retention: Retention
  metrics?: Metrics
}

/**
 * Called between two batches, with the milliseconds of the last one and the rows so far: leaves time for others, and returns whether to
 * continue.
 */
export type Pace = (batchMs: number, rows: number) => Promise<boolean>

const atOnce: Pace = async () => true

/** Removes what one kind of rows no longer needs, and returns what it removed. The next round removes what was not done in time. */
export async function runSweep(deps: SweepDeps, sweep: Sweep, pace: Pace = atOnce): Promise<Swept> {
  const { pools, clock, log, metrics, retention } = deps
  const now = await clock.now()
  const before = keptSince(retention[sweep.keeps], now)
  await pools.single(beginSweep({ name: sweep.name, before, now }))
  const startedMs = performance.now()
  let rows = 0
  let oldest: Date | null = null
  let batchMs = performance.now()
  for await (const swept of sweep.batches(pools, before)) {
    rows += swept.rows
    if (swept.oldest !== null && (oldest === null || swept.oldest < oldest)) oldest = swept.oldest
    metrics?.sweptRows.inc({ sweep: sweep.name }, swept.rows)
    if (!(await pace(performance.now() - batchMs, rows))) break
    batchMs = performance.now()
  }
  await pools.single(endSweep({ name: sweep.name, rows, oldest, now: await clock.now() }))
  const told = { sweep: sweep.name, rows, oldest, before, ms: Math.round(performance.now() - startedMs) }
  if (rows > 0) log.info(told, 'swept: rows that had served their time are gone')
  else log.debug(told, 'swept: nothing had served its time')
  return { rows, oldest }
}
