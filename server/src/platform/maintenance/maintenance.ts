import type { Clock } from '../clock/clock.ts'
import type { Pools } from '../database/pool.ts'
import type { Log } from '../logs/logs.ts'
import type { Retention } from '../retention/retention.ts'

/** What a task stands on. It is connected as the owner of the tables, who alone may remove what happened. */
export type MaintenanceContext = {
  readonly pools: Pools
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  /** How long what is kept for a time is kept. */
  readonly retention: Retention
  /** After each batch: how many rows went since the task began. */
  onProgress(deleted: number): void
  /** The batch under way is finished, and no other begun. */
  readonly signal: AbortSignal
}

/** One kind of rows that have served their time. Run again after it was interrupted it goes on where it was. */
export type MaintenanceTask = {
  /** As people name it on the command line. */
  readonly name: string
  /** What goes, and when. */
  readonly removes: string
  /** In batches that are short enough for nobody to wait for. */
  run(context: MaintenanceContext): Promise<{ deleted: number }>
}

export type TaskReport = { name: string; deleted: number; ms: number; error: string | null }

/** Runs each task, one after the other; one that fails keeps none of the others from theirs. */
export async function runMaintenance(
  tasks: readonly MaintenanceTask[],
  context: Omit<MaintenanceContext, 'onProgress'> & {
    onProgress(task: MaintenanceTask, deleted: number): void
  },
): Promise<TaskReport[]> {
  const reports: TaskReport[] = []
  for (const task of tasks) {
    if (context.signal.aborted) break
    const startedMs = performance.now()
    let deleted = 0
    let error: string | null = null
    try {
      const onProgress = (rows: number) => {
        deleted = rows
        context.onProgress(task, rows)
      }
      deleted = (await task.run({ ...context, onProgress })).deleted
    } catch (cause) {
      error = cause instanceof Error ? cause.message : String(cause)
    }
    reports.push({ name: task.name, deleted, ms: Math.round(performance.now() - startedMs), error })
  }
  return reports
}

export const batchRows = 500

/** Batches until one is not full. */
export async function inBatches(
  { signal, onProgress }: Pick<MaintenanceContext, 'signal' | 'onProgress'>,
  batch: (limit: number) => Promise<number>,
): Promise<{ deleted: number }> {
  let deleted = 0
  while (!signal.aborted) {
    const rows = await batch(batchRows)
    deleted += rows
    onProgress(deleted)
    if (rows < batchRows) break
  }
  return { deleted }
}
