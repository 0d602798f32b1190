import type { Invariant } from '../../../platform/audit/invariants.ts'
import { checkProofs, checkStates, checkWaits } from './invariants.sql.ts'

export const integrationCheckInvariants: readonly Invariant[] = [
  {
    id: 'S2-checks',
    title: 'An integration check has the state that its last event says',
    statement: checkStates({}),
  },
  {
    id: 'E2-checks',
    title: 'An order check passed only where its destination answered and the payment was captured',
    statement: checkProofs({}),
  },
  {
    id: 'W2-checks',
    title: 'No integration check waits past its deadline',
    needsWorkers: true,
    statement: checkWaits({}),
  },
]
