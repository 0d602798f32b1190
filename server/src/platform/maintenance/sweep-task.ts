import { runSweep } from '../retention/run-sweep.ts'
import type { Sweep } from '../retention/sweep.ts'
import type { MaintenanceTask } from './maintenance.ts'

/** A sweep as a task of maintenance. */
export function sweepTask(sweep: Sweep): MaintenanceTask {
  return {
    name: sweep.name,
    removes: sweep.removes,
    async run({ signal, onProgress, ...deps }) {
      const { rows } = await runSweep(deps, sweep, async (_batchMs, deleted) => {
        onProgress(deleted)
        return !signal.aborted
      })
      return { deleted: rows }
    },
  }
}
