import type { Invariant } from '../../../platform/audit/invariants.ts'
import { checkOverdueProofs } from './invariants.sql.ts'

export const merchantInvariants: readonly Invariant[] = [
  {
    id: 'W2-domains',
    title: 'The proof of a domain is checked when it is due',
    needsWorkers: true,
    statement: checkOverdueProofs({}),
  },
]
