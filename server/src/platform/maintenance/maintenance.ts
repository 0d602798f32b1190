import type { Clock } from '../clock/clock.ts'
import type { Pools } from '../database/pool.ts'
import type { Log } from '../logs/logs.ts'
import type { Retention } from '../retention/retention.ts'

/** What a task uses. It is connected as the owner of the tables, who alone may remove what happened. */
type MaintenanceContext = {
  readonly pools: Pools
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  /** How long rows are kept. */
  readonly retention: Retention
  /** Called after each batch: how many rows were removed since the task began. */
  onProgress(deleted: number): void
  /** When it aborts, the batch under way is finished and no other begins. */
  readonly signal: AbortSignal
}

/** Removes one kind of rows whose time is over. A task that was interrupted continues where it was when it runs again. */
export type MaintenanceTask = {
  /** Its name on the command line. */
  readonly name: string
  /** What it removes, and when. */
  readonly removes: string
  /** Works in batches that are so short that nobody has to wait for them. */
  run(context: MaintenanceContext): Promise<{ deleted: number }>
}

export type TaskReport = { name: string; deleted: number; ms: number; error: string | null }

/** Runs each task, one after the other; the failure of one does not keep the others from running. */
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

const batchRows = 500

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
