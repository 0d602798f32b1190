import type { Invariant } from '../../../platform/audit/invariants.ts'
import { checkListed } from './invariants.sql.ts'

export const listingInvariants: readonly Invariant[] = [
  {
    id: 'D1',
    title: 'What is published is listed, and what is not is not',
    needsWorkers: true,
    statement: checkListed({}),
  },
]
