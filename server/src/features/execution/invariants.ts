import type { Invariant } from '../../platform/audit/invariants.ts'
import {
  checkApproved,
  checkCaptures,
  checkCurrencies,
  checkEffects,
  checkFailingHolds,
  checkHolds,
  checkModes,
  checkOrderSums,
  checkSums,
  checkUnanswered,
} from './invariants.sql.ts'

export const executionInvariants: readonly Invariant[] = [
  {
    id: 'M2',
    title: 'What carts were charged is what was captured for them, and sums to what their intent was',
    statement: checkSums({}),
  },
  {
    id: 'M2-captures',
    title: 'What was captured for an order of ours is its total',
    statement: checkOrderSums({}),
  },
  {
    id: 'M3',
    title: 'A cart has one capture at most that was not refunded, over all of its attempts',
    statement: checkCaptures({}),
  },
  {
    id: 'M4',
    title: 'Nothing was captured without an approval or a policy that allowed it, or beyond its terms',
    statement: checkApproved({}),
  },
  {
    id: 'M6',
    title: 'What is still authorized, or captured for nothing, belongs to a cart that somebody works on',
    statement: checkHolds({}),
  },
  {
    id: 'M6-failing',
    title:
      'What is still authorized, or captured for nothing, is not left to a step that has failed for an hour',
    needsWorkers: true,
    statement: checkFailingHolds({}),
  },
  {
    id: 'M9',
    title: 'An intent, its carts and the money held for them are of one currency',
    statement: checkCurrencies({}),
  },
  {
    id: 'M10',
    title: 'What a purchase names (its key, carts, orders and money) is of its own account and mode',
    statement: checkModes({}),
  },
  {
    id: 'W3',
    title: 'No order twice, and no attempt beside one that may still land',
    statement: checkEffects({}),
  },
  {
    id: 'W7',
    title:
      'No call has been without an answer for an hour, unless its step is named as failing or a person decides',
    needsWorkers: true,
    statement: checkUnanswered({}),
  },
]
