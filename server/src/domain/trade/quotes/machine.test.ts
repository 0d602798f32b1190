import { expect, test } from 'vitest'
import { next, terminalStates } from '../../../core/state-table.ts'
import { type QuoteTrigger, quoteStatuses, quoteTable } from './machine.ts'

const triggers: readonly QuoteTrigger[] = [
  'quote',
  'decline',
  'require_input',
  'fail',
  'expire',
  'order',
  'cancel',
  'refresh',
]

test('a quote moves as the contract says, and not otherwise', () => {
  const moves = quoteStatuses.flatMap((from) =>
    triggers.flatMap((trigger) => {
      const to = next(quoteTable, from, trigger)
      return to === null ? [] : [`${from} ${trigger} ${to}`]
    }),
  )
  expect(moves).toEqual([
    'pending quote quoted',
    'pending decline declined',
    'pending require_input requires_input',
    'pending fail failed',
    'pending cancel cancelled',
    'quoted require_input requires_input',
    'quoted expire expired',
    'quoted order ordered',
    'quoted cancel cancelled',
    'quoted refresh pending',
    'declined require_input requires_input',
    'declined refresh pending',
    'requires_input require_input requires_input',
    'requires_input cancel cancelled',
    'requires_input refresh pending',
    'failed require_input requires_input',
    'failed refresh pending',
    'expired require_input requires_input',
    'expired refresh pending',
  ])
})

test('a quote that was ordered or cancelled stays so', () => {
  expect(terminalStates(quoteTable)).toEqual(['ordered', 'cancelled'])
})
