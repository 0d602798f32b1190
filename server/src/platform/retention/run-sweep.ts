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

/** Between two batches, of which the last took so long, and after so many rows: whether to go on, once enough time was left to others. */
export type Pace = (batchMs: number, rows: number) => Promise<boolean>

export const atOnce: Pace = async () => true

/** Takes away what one kind of rows no longer needs, and says what it was. What was not done in time is taken by the next round. */
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
