import type { MaintenanceTask } from './platform/maintenance/maintenance.ts'
import { runSweep } from './platform/retention/run-sweep.ts'
import type { Sweep } from './platform/retention/sweep.ts'
import { forgetWorkers } from './platform/work/forget-workers.ts'
import { sweeps } from './sweeps.ts'

/** All that goes once it has served its time, in the order in which it is looked through. Workers sweep, too, at their leisure. */
export const maintenanceTasks: readonly MaintenanceTask[] = [forgetWorkers, ...sweeps.map(taskOf)]

function taskOf(sweep: Sweep): MaintenanceTask {
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
