import { inBatches, type MaintenanceTask } from '../maintenance/maintenance.ts'
import { forgetSilentWorkers } from './workers.sql.ts'

/** Workers forget each other when they announce themselves. Where no worker is left, this task forgets the last ones. */
export const forgetWorkers: MaintenanceTask = {
  name: 'silent-workers',
  removes: 'announcements of workers that have been silent for an hour',
  run: (context) =>
    inBatches(context, async (limit) => {
      const { rowCount } = await context.pools.single(forgetSilentWorkers({ limit }))
      return rowCount
    }),
}
