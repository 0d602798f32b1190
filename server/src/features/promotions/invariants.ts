import type { Invariant } from '../../platform/audit/invariants.ts'
import { checkCounters, checkUses } from './invariants.sql.ts'

export const promotionInvariants: readonly Invariant[] = [
  {
    id: 'M11',
    title: "What is counted of a promotion's caps is what its uses come to",
    statement: checkCounters({}),
  },
  {
    id: 'M12',
    title: 'An order has the discount that was held for it, and its use ends as the order does',
    statement: checkUses({}),
  },
]
