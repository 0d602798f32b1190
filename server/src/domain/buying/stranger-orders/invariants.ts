import type { Invariant } from '../../../platform/audit/invariants.ts'
import { checkCarts, checkMessages } from './invariants.sql.ts'

export const strangerOrderInvariants: readonly Invariant[] = [
  {
    id: 'W3-strangers',
    title: 'An order at a stranger belongs to exactly one cart, which was bought in the same way',
    statement: checkCarts({}),
  },
  {
    id: 'E3-strangers',
    title:
      'A message about an order was applied only to the order that it names, and no older one after a newer one',
    statement: checkMessages({}),
  },
]
