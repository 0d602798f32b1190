import type { Invariant } from '../../../platform/audit/invariants.ts'
import {
  checkCaps,
  checkCaptures,
  checkCarts,
  checkCharged,
  checkMerchants,
  checkOverdue,
  checkResponsibility,
} from './invariants.sql.ts'
import { checkAnnounced, checkEnds, checkPaths } from './told-states.ts'

export const purchaseIntentInvariants: readonly Invariant[] = [
  {
    id: 'M1',
    title: 'Nothing is charged above its cap, and carts share the cap of their purchase',
    statement: checkCaps({}),
  },
  {
    id: 'M2-carts',
    title: 'The charges of the carts that succeeded add up to the charge of the purchase',
    statement: checkCharged({}),
  },
  { id: 'M5', title: 'Nothing is captured after it was cancelled or declined', statement: checkCaptures({}) },
  {
    id: 'S1',
    title: 'Every change of state of a purchase and of a cart is in the state tables',
    check: checkPaths,
  },
  {
    id: 'S2-purchases',
    title: 'A purchase has the state that its last event says, and no event is missing',
    check: checkEnds,
  },
  { id: 'S3', title: 'A purchase has carts only after it was started', statement: checkCarts({}) },
  {
    id: 'S5',
    title: 'All items of one merchant are in one cart, and each paid request is in a cart of its own',
    statement: checkMerchants({}),
  },
  {
    id: 'S4',
    title: 'No cart is tried more often than it may be, and its last event offers only what is possible',
    check: checkAnnounced,
  },
  {
    id: 'W2-purchases',
    title: 'A purchase that has not ended is due at some time, or waits for a person',
    statement: checkResponsibility({}),
  },
  {
    id: 'W2-overdue',
    title: 'No purchase or cart has been due for a minute without a worker that works on it',
    needsWorkers: true,
    statement: checkOverdue({}),
  },
]
