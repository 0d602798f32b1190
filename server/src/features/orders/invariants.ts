import type { Invariant } from '../../platform/audit/invariants.ts'
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
    title: 'An order is decided once: answered, expired or cancelled',
    statement: checkDecisions({}),
  },
  {
    id: 'E2-orders',
    title: 'An answered order has one accepted answer, of the one it names',
    statement: checkAnswers({}),
  },
  {
    id: 'E7-orders',
    title: 'No answer counts once the order no longer awaits it',
    statement: checkLateAnswers({}),
  },
  {
    id: 'M5-orders',
    title:
      'No order is captured that was not confirmed, and none confirmed whose payment was voided or failed',
    statement: checkPayments({}),
  },
  {
    id: 'W2-orders',
    title: 'No order awaits its merchant beyond its time',
    needsWorkers: true,
    statement: checkExpiries({}),
  },
  {
    id: 'W3-orders',
    title: 'An attempt of a cart places one order, and a cart has one that stands',
    statement: checkRepeats({}),
  },
  {
    id: 'M1-orders',
    title:
      'No order costs more than its buyer authorized, and its subtotal is its lines less what was taken off',
    statement: checkPrices({}),
  },
  {
    id: 'M2-refunds',
    title: 'Refunds come to at most what was captured, and the order and its payment say what they came to',
    statement: checkRefunds({}),
  },
  {
    id: 'W3-units',
    title: 'No more units are sent, returned or paid back than were bought',
    statement: checkUnits({}),
  },
  {
    id: 'W2-refunds',
    title: 'No refund waits beyond its time',
    needsWorkers: true,
    statement: checkRefundWork({}),
  },
  {
    id: 'M10-orders',
    title: "The items of an order are its merchant's, of the order's mode",
    statement: checkModes({}),
  },
]
