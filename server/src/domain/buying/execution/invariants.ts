import type { Invariant } from '../../../platform/audit/invariants.ts'
import {
  checkApproved,
  checkCaptures,
  checkCurrencies,
  checkEffects,
  checkFailingHolds,
  checkHolds,
  checkModes,
  checkMovements,
  checkOrderSums,
  checkRefunds,
  checkStrangers,
  checkSums,
  checkUnanswered,
} from './invariants.sql.ts'

export const executionInvariants: readonly Invariant[] = [
  {
    id: 'M2',
    title:
      'The charge of a cart is what was captured or is authorized for it, and the charges of the carts add up to the charge of their purchase',
    statement: checkSums({}),
  },
  {
    id: 'M2-captures',
    title: 'What was captured for a native order is the total of the order',
    statement: checkOrderSums({}),
  },
  {
    id: 'M2-strangers',
    title:
      'What a merchant elsewhere has charged and given back is the same at its cart, at its order and in the journal, and never more went back than was taken',
    statement: checkStrangers({}),
  },
  {
    id: 'M2-refunded',
    title:
      'What a merchant here has given back of an order is the same at the order and at the cart that placed it, and never more than was taken',
    statement: checkRefunds({}),
  },
  {
    id: 'W2-movements',
    title: 'No report of a payment rail waits for a cart that nobody looks at',
    statement: checkMovements({}),
  },
  {
    id: 'M3',
    title: 'A cart has at most one capture that was not refunded, over all of its attempts',
    statement: checkCaptures({}),
  },
  {
    id: 'M4',
    title: 'Nothing was captured without an approval or a policy that allowed it, or beyond its terms',
    statement: checkApproved({}),
  },
  {
    id: 'M6',
    title:
      'Money that is still authorized, or was captured without an order, belongs to a cart that a worker still works on',
    statement: checkHolds({}),
  },
  {
    id: 'M6-failing',
    title:
      'Money that is still authorized, or was captured without an order, does not wait for a step that has failed for an hour',
    needsWorkers: true,
    statement: checkFailingHolds({}),
  },
  {
    id: 'M9',
    title: 'A purchase, its carts and the money that is held for them have the same currency',
    statement: checkCurrencies({}),
  },
  {
    id: 'M10',
    title:
      'Everything that a purchase names (its key, profile, payment method, policy, carts, orders and money) is there, in its own account and mode',
    statement: checkModes({}),
  },
  {
    id: 'W3',
    title: 'No order is placed twice, and no attempt begins while an earlier one may still succeed',
    statement: checkEffects({}),
  },
  {
    id: 'W7',
    title:
      'No call has waited for its answer for an hour, unless its step is reported as failing or a person decides',
    needsWorkers: true,
    statement: checkUnanswered({}),
  },
]
