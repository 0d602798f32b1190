import { byAge, type Sweep } from '../../../../platform/retention/sweep.ts'
import { deleteOldMovements } from './movements.sql.ts'

/** What the rail has reported: of nobody here after a day, and the rest once it is not repeated any more. */
export const sweepMovements: Sweep = {
  name: 'rail_movements',
  removes: 'movements that payment rails have reported',
  keeps: 'messageDays',
  batches: (pools, before) => byAge(pools, (limit) => deleteOldMovements({ before, limit })),
}
