import type { Invariant } from '../../../platform/audit/invariants.ts'
import { checkCounters, checkUses } from './invariants.sql.ts'

export const promotionInvariants: readonly Invariant[] = [
  {
    id: 'M11',
    title: "The counters of a promotion's caps equal the sum of its uses",
    statement: checkCounters({}),
  },
  {
    id: 'M12',
    title:
      'An order has the discount that was reserved for it, and the use of the promotion ends as the order does',
    statement: checkUses({}),
  },
]
