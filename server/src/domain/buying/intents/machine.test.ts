import { expect, test } from 'vitest'
import { next } from '../../../core/state-table.ts'
import {
  type CartTrigger,
  cartMachine,
  cartStatuses,
  firstStatus,
  type IntentTrigger,
  intentMachine,
  intentStatuses,
  isTerminalCart,
  isTerminalIntent,
} from './machine.ts'

/** The published table: every legal move, and by leaving it out, every illegal one. */
const legalMoves: Record<(typeof intentStatuses)[number], readonly string[]> = {
  awaiting_approval: [
    'approve → approved',
    'refuse → declined',
    'approval_expired → declined',
    'refuse_after_charge → failed',
    'approval_expired_after_charge → failed',
    'price_question_closed → approved',
    'payment_confirmed → approved',
    'payment_not_confirmed → approved',
    'carts_failed → failed',
    'retry_refused → failed',
    'retry_expired → failed',
    'address_given → queued',
    'address_given_denied → declined',
    'cancel → cancelled',
  ],
  queued: [
    'carts_succeeded → succeeded',
    'carts_failed → failed',
    'carts_cancelled → cancelled',
    'cancel → cancelled',
    'sign_in_needed → awaiting_merchant_auth',
    'price_beyond_tolerance → awaiting_approval',
    'payment_needs_its_person → awaiting_approval',
  ],
  approved: [
    'carts_succeeded → succeeded',
    'carts_failed → failed',
    'carts_cancelled → cancelled',
    'cancel → cancelled',
    'sign_in_needed → awaiting_merchant_auth',
    'price_beyond_tolerance → awaiting_approval',
    'payment_needs_its_person → awaiting_approval',
  ],
  awaiting_merchant_auth: [
    'carts_succeeded → succeeded',
    'carts_failed → failed',
    'carts_cancelled → cancelled',
    'cancel → cancelled',
    'ticket_redeemed → approved',
    'no_sign_in_left → approved',
    'sign_in_refused → merchant_auth_failed',
  ],
  merchant_auth_failed: [
    'carts_succeeded → succeeded',
    'carts_failed → failed',
    'carts_cancelled → cancelled',
    'cancel → cancelled',
    'ticket_redeemed → approved',
    'no_sign_in_left → approved',
    'sign_in_needed → awaiting_merchant_auth',
  ],
  succeeded: [],
  failed: [
    'retry → approved',
    'retry_allowed → queued',
    'retry_asks → awaiting_approval',
    'reconciled_succeeded → succeeded',
    'reconciled_failed → failed',
  ],
  cancelled: [],
  declined: [],
}

const intentTriggers: readonly IntentTrigger[] = [
  'payment_needs_its_person',
  'payment_confirmed',
  'payment_not_confirmed',
  'approve',
  'refuse',
  'approval_expired',
  'refuse_after_charge',
  'approval_expired_after_charge',
  'price_question_closed',
  'price_beyond_tolerance',
  'sign_in_needed',
  'sign_in_refused',
  'ticket_redeemed',
  'no_sign_in_left',
  'carts_succeeded',
  'carts_failed',
  'carts_cancelled',
  'cancel',
  'address_given',
  'address_given_denied',
  'retry',
  'retry_allowed',
  'retry_asks',
  'retry_refused',
  'retry_expired',
  'reconciled_succeeded',
  'reconciled_failed',
]

test.each(intentStatuses.flatMap((from) => intentTriggers.map((trigger) => ({ from, trigger }))))(
  'an intent in $from takes $trigger exactly where the table says',
  ({ from, trigger }) => {
    const to = next(intentMachine, from, trigger)
    const legal = legalMoves[from].find((move) => move.startsWith(`${trigger} → `))
    expect(to === null ? undefined : `${trigger} → ${to}`).toBe(legal)
  },
)

test('every legal move is reached by a known trigger', () => {
  const moves = intentStatuses.flatMap((from) =>
    intentTriggers.flatMap((trigger) => {
      const to = next(intentMachine, from, trigger)
      return to === null ? [] : [`${from}: ${trigger} → ${to}`]
    }),
  )
  expect(moves).toHaveLength(Object.values(legalMoves).flat().length)
})

test('the terminal states are those of the interface', () => {
  expect(intentStatuses.filter(isTerminalIntent)).toEqual(['succeeded', 'failed', 'cancelled', 'declined'])
  expect(cartStatuses.filter(isTerminalCart)).toEqual(['succeeded', 'failed', 'cancelled'])
})

test('an intent begins declined, awaiting approval or queued', () => {
  expect(Object.values(firstStatus)).toEqual(['declined', 'awaiting_approval', 'queued'])
})

const cartTriggers: readonly CartTrigger[] = [
  'start',
  'sign_in_needed',
  'signed_in',
  'succeed',
  'fail',
  'cancel',
  'retry',
  'reconciled_placed',
  'reconciled_not_placed',
]

test('a purchase that was bought or cancelled never moves again', () => {
  for (const trigger of cartTriggers) {
    expect(next(cartMachine, 'succeeded', trigger)).toBeNull()
    expect(next(cartMachine, 'cancelled', trigger)).toBeNull()
  }
})

test('no cart comes back to an earlier state but by a retry', () => {
  const order = ['created', 'in_progress', 'awaiting_merchant_auth', 'succeeded', 'failed', 'cancelled']
  const back = cartStatuses.flatMap((from) =>
    cartTriggers.filter((trigger) => {
      const to = next(cartMachine, from, trigger)
      return to !== null && order.indexOf(to) < order.indexOf(from)
    }),
  )
  expect(back).toEqual(['signed_in', 'retry', 'reconciled_placed'])
})
