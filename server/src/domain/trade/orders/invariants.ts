import type { Invariant } from '../../../platform/audit/invariants.ts'
import {
  checkAnswers,
  checkDecisions,
  checkExpiries,
  checkLateAnswers,
  checkModes,
  checkPayments,
  checkPrices,
  checkRefunds,
  checkRefundWork,
  checkRepeats,
  checkUnits,
} from './invariants.sql.ts'

export const orderInvariants: readonly Invariant[] = [
  {
    id: 'S7',
    title: 'An order is decided only once: answered, expired or cancelled',
    statement: checkDecisions({}),
  },
  {
    id: 'E2-orders',
    title: 'An answered order has exactly one accepted answer, from the responder that it names',
    statement: checkAnswers({}),
  },
  {
    id: 'E7-orders',
    title: 'No answer is accepted after the order has stopped waiting for it',
    statement: checkLateAnswers({}),
  },
  {
    id: 'M5-orders',
    title:
      'No order was captured without a confirmation, and no order was confirmed whose payment was voided or failed',
    statement: checkPayments({}),
  },
  {
    id: 'W2-orders',
    title: 'No order waits for its merchant past its deadline',
    needsWorkers: true,
    statement: checkExpiries({}),
  },
  {
    id: 'W3-orders',
    title: 'An attempt of a cart places at most one order, and a cart has at most one order that counts',
    statement: checkRepeats({}),
  },
  {
    id: 'M1-orders',
    title:
      'No order costs more than its buyer authorized, and its subtotal is the sum of its lines minus what was taken off',
    statement: checkPrices({}),
  },
  {
    id: 'M2-refunds',
    title: 'The sum of the refunds is at most what was captured, and the order and its payment show that sum',
    statement: checkRefunds({}),
  },
  {
    id: 'W3-units',
    title: 'No more units are sent, returned or refunded than were bought',
    statement: checkUnits({}),
  },
  {
    id: 'W2-refunds',
    title: 'No refund waits past its deadline',
    needsWorkers: true,
    statement: checkRefundWork({}),
  },
  {
    id: 'M10-orders',
    title: "An order's owner, merchant and purchase are there, and its items belong to its merchant and mode",
    statement: checkModes({}),
  },
]
