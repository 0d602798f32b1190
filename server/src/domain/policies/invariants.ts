import type { Invariant } from '../../platform/audit/invariants.ts'
import { checkReservations, checkWindows } from './invariants.sql.ts'

export const policyInvariants: readonly Invariant[] = [
  {
    id: 'M7',
    title:
      'What a policy window has reserved and spent is within the limits of the policy version that granted its last reservation',
    statement: checkWindows({}),
  },
  {
    id: 'M8',
    title: 'A reservation ends only once, and no purchase that has ended holds one',
    statement: checkReservations({}),
  },
]
