import type { MaintenanceTask } from './platform/maintenance/maintenance.ts'
import { forgetWorkers } from './platform/work/forget-workers.ts'

/** All that goes once it has served its time, in the order in which it is looked through. */
export const maintenanceTasks: readonly MaintenanceTask[] = [forgetWorkers]
