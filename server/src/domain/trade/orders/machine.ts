import type { StateTable } from '../../../core/state-table.ts'

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

/** Only one thing undoes an order that the merchant has confirmed: a failed capture of its payment. */
export const orderTable = {
  awaiting_confirmation: { confirm: 'confirmed', reject: 'rejected', expire: 'expired', cancel: 'cancelled' },
  confirmed: { fulfill: 'fulfilling', fail_capture: 'cancelled' },
  fulfilling: { complete: 'completed' },
  rejected: {},
  expired: {},
  cancelled: {},
  completed: {},
} as const satisfies StateTable<OrderStatus, OrderTrigger>

/** An order at a stranger, who confirms by taking it. What its merchant says later never leads back. */
export const strangerOrderTable = {
  confirmed: { fulfill: 'fulfilling', complete: 'completed', cancel: 'cancelled' },
  fulfilling: { complete: 'completed', cancel: 'cancelled' },
  completed: {},
  cancelled: {},
  awaiting_confirmation: {},
  rejected: {},
  expired: {},
} as const satisfies StateTable<OrderStatus, OrderTrigger>

/** How an order was bought: from a merchant of ours, or at a stranger. */
export const orderChannels = ['native', 'ucp', 'browser'] as const
export type OrderChannel = (typeof orderChannels)[number]

export const orderPaymentStatuses = [
  'authorized',
  'captured',
  'partially_refunded',
  'refunded',
  'voided',
  'failed',
] as const
export type OrderPaymentStatus = (typeof orderPaymentStatuses)[number]

/** How the payment of an order ended, by the payment rail's answer. */
export type Settlement = 'captured' | 'voided' | 'failed'

/** A refund of a part of what was left of the captured amount, or of all of it. */
type PaymentTrigger = Settlement | 'refund_part' | 'refund_rest'

/** Refunds come from the merchant and only after a capture. */
export const paymentTable = {
  authorized: { captured: 'captured', voided: 'voided', failed: 'failed' },
  captured: { refund_part: 'partially_refunded', refund_rest: 'refunded' },
  partially_refunded: { refund_part: 'partially_refunded', refund_rest: 'refunded' },
  refunded: {},
  voided: {},
  failed: {},
} as const satisfies StateTable<OrderPaymentStatus, PaymentTrigger>

export const fulfillmentStatuses = [
  'processing',
  'shipped',
  'in_transit',
  'out_for_delivery',
  'ready_for_pickup',
  'delivered',
  'failed',
  'cancelled',
] as const
export type FulfillmentStatus = (typeof fulfillmentStatuses)[number]

export const refundStatuses = ['pending', 'succeeded', 'failed'] as const
export type RefundStatus = (typeof refundStatuses)[number]

export const returnStatuses = ['requested', 'refunded', 'declined'] as const
