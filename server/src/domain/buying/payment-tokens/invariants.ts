import type { Invariant } from '../../../platform/audit/invariants.ts'
import { checkLiveCredentials, checkTerms } from './invariants.sql.ts'

export const paymentTokenInvariants: readonly Invariant[] = [
  {
    id: 'M14',
    title:
      'A payment token is the whole of its purchase: its one cart, with its merchant, currency and amount, within the cap',
    statement: checkTerms({}),
  },
  {
    id: 'M15',
    title: 'Once the cart of a payment token has ended, its credential cannot be charged any more',
    statement: checkLiveCredentials({}),
  },
]
