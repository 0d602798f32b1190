import { inBatches, type MaintenanceTask } from '../maintenance/maintenance.ts'
import { forgetSilentWorkers } from './workers.sql.ts'

/** Workers forget each other as they announce themselves; where none is left, nobody does. */
export const forgetWorkers: MaintenanceTask = {
  name: 'silent-workers',
  removes: 'announcements of workers that have been silent for an hour',
  run: (context) =>
    inBatches(context, async (limit) => {
      const { rowCount } = await context.pools.single(forgetSilentWorkers({ limit }))
      return rowCount
    }),
}
