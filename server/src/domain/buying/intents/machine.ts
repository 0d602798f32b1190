import { type StateTable, terminalStates } from '../../../core/state-table.ts'

export const intentStatuses = [
  'awaiting_approval',
  'queued',
  'approved',
  'awaiting_merchant_auth',
  'merchant_auth_failed',
  'succeeded',
  'failed',
  'cancelled',
  'declined',
] as const
export type IntentStatus = (typeof intentStatuses)[number]

export const cartStatuses = [
  'created',
  'in_progress',
  'awaiting_merchant_auth',
  'succeeded',
  'failed',
  'cancelled',
] as const
export type CartStatus = (typeof cartStatuses)[number]

/** The decision that gives an intent its first status. */
export const firstStatus = {
  /** A policy denies it. */
  denied: 'declined',
  /** Approval is needed, or there is no usable payment method. */
  approval_needed: 'awaiting_approval',
  /** A policy allows it unattended and the method needs no step-up. */
  allowed: 'queued',
} as const satisfies Record<string, IntentStatus>

export type IntentTrigger =
  | 'approve'
  | 'refuse'
  | 'approval_expired'
  | 'refuse_after_charge'
  | 'approval_expired_after_charge'
  | 'price_question_closed'
  | 'price_beyond_tolerance'
  | 'payment_needs_its_person'
  | 'payment_confirmed'
  | 'payment_not_confirmed'
  | 'sign_in_needed'
  | 'sign_in_refused'
  | 'ticket_redeemed'
  | 'no_sign_in_left'
  | 'carts_succeeded'
  | 'carts_failed'
  | 'carts_cancelled'
  | 'cancel'
  | 'address_given'
  | 'address_given_denied'
  | 'retry'
  | 'retry_allowed'
  | 'retry_asks'
  | 'retry_refused'
  | 'retry_expired'
  | 'reconciled_succeeded'
  | 'reconciled_failed'

const asCartsSay = {
  carts_succeeded: 'succeeded',
  carts_failed: 'failed',
  carts_cancelled: 'cancelled',
} as const

const running = {
  ...asCartsSay,
  sign_in_needed: 'awaiting_merchant_auth',
  price_beyond_tolerance: 'awaiting_approval',
  payment_needs_its_person: 'awaiting_approval',
  cancel: 'cancelled',
} as const

const atSignIn = {
  ...asCartsSay,
  ticket_redeemed: 'approved',
  no_sign_in_left: 'approved',
  cancel: 'cancelled',
} as const

/**
 * The life of a purchase intent. `approved` and `queued` stay the status while carts run. `price_question_closed`: the cart whose price
 * was in question has ended (it was cancelled, or refused while another cart could no longer be stopped), and the rest continues under
 * the approval it had. `payment_not_confirmed`: the same for the cart whose payment nobody confirmed; where it was the last one, the
 * purchase ends with it. `no_sign_in_left`: the same for the carts that waited for a sign-in. Both are announced as
 * `purchase_intent.approved`: every move has an event of the purchase's own. `retry` is for a purchase that a person approved. One that a
 * policy approved is decided again, by `retry_allowed` or `retry_asks`, and fails again when the decision is no. `address_given`: a
 * purchase that waited for an address is decided again.
 */
export const intentMachine = {
  awaiting_approval: {
    approve: 'approved',
    refuse: 'declined',
    approval_expired: 'declined',
    refuse_after_charge: 'failed',
    approval_expired_after_charge: 'failed',
    price_question_closed: 'approved',
    payment_confirmed: 'approved',
    payment_not_confirmed: 'approved',
    carts_failed: 'failed',
    retry_refused: 'failed',
    retry_expired: 'failed',
    address_given: 'queued',
    address_given_denied: 'declined',
    cancel: 'cancelled',
  },
  queued: running,
  approved: running,
  awaiting_merchant_auth: { ...atSignIn, sign_in_refused: 'merchant_auth_failed' },
  merchant_auth_failed: { ...atSignIn, sign_in_needed: 'awaiting_merchant_auth' },
  succeeded: {},
  failed: {
    retry: 'approved',
    retry_allowed: 'queued',
    retry_asks: 'awaiting_approval',
    reconciled_succeeded: 'succeeded',
    reconciled_failed: 'failed',
  },
  cancelled: {},
  declined: {},
} as const satisfies StateTable<IntentStatus, IntentTrigger>

export type CartTrigger =
  | 'start'
  | 'sign_in_needed'
  | 'signed_in'
  | 'succeed'
  | 'fail'
  | 'cancel'
  | 'retry'
  | 'reconciled_placed'
  | 'reconciled_not_placed'

/** The life of a cart. */
export const cartMachine = {
  created: { start: 'in_progress', fail: 'failed', cancel: 'cancelled' },
  in_progress: {
    succeed: 'succeeded',
    fail: 'failed',
    cancel: 'cancelled',
    sign_in_needed: 'awaiting_merchant_auth',
  },
  awaiting_merchant_auth: { signed_in: 'in_progress', fail: 'failed', cancel: 'cancelled' },
  succeeded: {},
  failed: { retry: 'created', reconciled_placed: 'succeeded', reconciled_not_placed: 'failed' },
  cancelled: {},
} as const satisfies StateTable<CartStatus, CartTrigger>

/** What the interface calls terminal: `failed` is terminal, although a retry or a person's decision leads out of it. */
const terminalIntentStatuses: readonly IntentStatus[] = [...terminalStates(intentMachine), 'failed']
const terminalCartStatuses: readonly CartStatus[] = [...terminalStates(cartMachine), 'failed']

export function isTerminalIntent(status: IntentStatus): boolean {
  return terminalIntentStatuses.includes(status)
}

export function isTerminalCart(status: CartStatus): boolean {
  return terminalCartStatuses.includes(status)
}
