import { expect, test } from 'vitest'
import { next, terminalStates } from '../../../core/state-table.ts'
import {
  type OrderTrigger,
  orderPaymentStatuses,
  orderStatuses,
  orderTable,
  paymentTable,
  type Settlement,
} from './machine.ts'

const triggers: OrderTrigger[] = [
  'confirm',
  'reject',
  'expire',
  'cancel',
  'fail_capture',
  'fulfill',
  'complete',
]

test('an order moves along the published table and no other way', () => {
  const moves = orderStatuses.flatMap((from) =>
    triggers.flatMap((trigger) => {
      const to = next(orderTable, from, trigger)
      return to ? [`${from} ${trigger} ${to}`] : []
    }),
  )
  expect(moves).toEqual([
    'awaiting_confirmation confirm confirmed',
    'awaiting_confirmation reject rejected',
    'awaiting_confirmation expire expired',
    'awaiting_confirmation cancel cancelled',
    'confirmed fail_capture cancelled',
    'confirmed fulfill fulfilling',
    'fulfilling complete completed',
  ])
  expect(terminalStates(orderTable)).toEqual(['rejected', 'expired', 'cancelled', 'completed'])
})

test('an authorization settles once', () => {
  const settlements: Settlement[] = ['captured', 'voided', 'failed']
  for (const from of orderPaymentStatuses) {
    for (const settlement of settlements) {
      expect(next(paymentTable, from, settlement)).toBe(from === 'authorized' ? settlement : null)
    }
  }
})
