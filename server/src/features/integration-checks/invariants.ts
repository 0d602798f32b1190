import type { Invariant } from '../../platform/audit/invariants.ts'
import { checkProofs, checkStates, checkWaits } from './invariants.sql.ts'

export const integrationCheckInvariants: readonly Invariant[] = [
  {
    id: 'S2-checks',
    title: 'The state of an integration check is that of its last event',
    statement: checkStates({}),
  },
  {
    id: 'E2-checks',
    title: 'An order check passed only where its destination answered and the payment was captured',
    statement: checkProofs({}),
  },
  {
    id: 'W2-checks',
    title: 'No integration check waits beyond its time',
    needsWorkers: true,
    statement: checkWaits({}),
  },
]
