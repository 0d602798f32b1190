import type { Invariant } from '../../platform/audit/invariants.ts'
import { checkReservations, checkWindows } from './invariants.sql.ts'

export const policyInvariants: readonly Invariant[] = [
  {
    id: 'M7',
    title:
      'No policy window holds and has spent more than the version that granted its last reservation allows',
    statement: checkWindows({}),
  },
  {
    id: 'M8',
    title: 'A reservation ends once, and no purchase that is over holds one',
    statement: checkReservations({}),
  },
]
