import type { StateTable } from '../../core/state-table.ts'

export const orderStatuses = [
  'awaiting_confirmation',
  'confirmed',
  'rejected',
  'expired',
  'cancelled',
  'fulfilling',
  'completed',
] as const
export type OrderStatus = (typeof orderStatuses)[number]

export type OrderTrigger =
  | 'confirm'
  | 'reject'
  | 'expire'
  | 'cancel'
  | 'fail_capture'
  | 'fulfill'
  | 'complete'

/** An order that the merchant confirmed is undone by one thing only: its payment could not be captured. */
export const orderTable = {
  awaiting_confirmation: { confirm: 'confirmed', reject: 'rejected', expire: 'expired', cancel: 'cancelled' },
  confirmed: { fulfill: 'fulfilling', fail_capture: 'cancelled' },
  fulfilling: { complete: 'completed' },
  rejected: {},
  expired: {},
  cancelled: {},
  completed: {},
} as const satisfies StateTable<OrderStatus, OrderTrigger>

export const orderPaymentStatuses = [
  'authorized',
  'captured',
  'partially_refunded',
  'refunded',
  'voided',
  'failed',
] as const
export type OrderPaymentStatus = (typeof orderPaymentStatuses)[number]

/** How the payment of an order settled, as the payment rail said it. */
export type Settlement = 'captured' | 'voided' | 'failed'

/** Refunds come from the merchant and only after a capture. */
export const paymentTable = {
  authorized: { captured: 'captured', voided: 'voided', failed: 'failed' },
  captured: {},
  partially_refunded: {},
  refunded: {},
  voided: {},
  failed: {},
} as const satisfies StateTable<OrderPaymentStatus, Settlement>
