import Type, { type Static } from 'typebox'
import type { Mode } from '../../contract/context.ts'
import { Closed, IdOf, Named, Nullable, OneOf, objectHead, Timestamp } from '../../contract/schemas.ts'
import type { Id } from '../../core/id.ts'
import { toWire } from '../../core/money.ts'
import type { IdScheme } from '../../platform/ids/derived-id.ts'
import { FailureReason } from './failure.ts'
import { type CartStatus, cartStatuses } from './machine.ts'

export const channels = ['native', 'ucp', 'mpp', 'browser', 'simulated'] as const

export const Offer = Named(
  'Offer',
  Closed({
    subtotal: Type.Integer({ description: 'Merchandise, before tax and fulfillment.' }),
    fulfillment: Type.Integer(),
    tax: Type.Integer(),
    discount: Type.Integer(),
    total: Type.Integer(),
    as_of: Timestamp,
  }),
)
export type Offer = Static<typeof Offer>

export const CartItem = Closed({
  id: IdOf('item'),
  url: Type.String(),
  quantity: Type.Integer(),
  expected_amount: Type.Integer({ description: 'Of one unit.' }),
  unit_amount: Nullable(
    Type.Integer({ description: 'What the merchant asks for one unit, once it has said.' }),
  ),
  title: Nullable(Type.String()),
})
export type CartItem = Static<typeof CartItem>

export const Cart = Named(
  'Cart',
  Closed({
    ...objectHead('cart', 'cart'),
    purchase_attempt_id: IdOf('att'),
    status: Named('CartStatus', OneOf(cartStatuses)),
    attempt_number: Type.Integer(),
    max_attempts: Type.Integer(),
    can_retry: Type.Boolean(),
    can_cancel: Type.Boolean(),
    merchant: Type.String(),
    merchant_domain: Type.String(),
    channel: OneOf(channels),
    items: Type.Array(CartItem),
    currency_code: Type.String(),
    expected_amount: Type.Integer(),
    max_allowed_amount: Type.Integer(),
    actual_amount: Type.Integer(),
    offer: Nullable(Offer),
    order: Nullable(IdOf('ord')),
    order_id: Nullable(Type.String({ description: "The merchant's reference of the order." })),
    transaction_id: Nullable(Type.String()),
    failure_reason: Nullable(FailureReason),
    started_at: Nullable(Timestamp),
    completed_at: Nullable(Timestamp),
  }),
)
export type Cart = Static<typeof Cart>

/** What an earlier attempt left behind; the current one stands in the cart's own columns. */
export type PastAttempt = {
  attempt_number: number
  attempt_id: string
  order_row_id: string | null
  order_id: string | null
  transaction_id: string | null
  failure: FailureReason | null
}

export type CartRow = {
  id: Id<'cart'>
  intent_id: Id<'pi'>
  position: number
  merchant_name: string
  merchant_domain: string
  merchant_account_id: Id<'acct'> | null
  channel: Cart['channel']
  items: CartItem[]
  status: CartStatus
  stage: string | null
  attempt_number: number
  attempt_id: Id<'att'>
  max_attempts: number
  currency: string
  expected_amount: bigint
  max_allowed_amount: bigint
  actual_amount: bigint
  fee_allowance: bigint
  tax_allowance: bigint
  tolerance_basis_points: number
  offer: Offer | null
  order_row_id: Id<'ord'> | null
  order_id: string | null
  transaction_id: string | null
  failure: FailureReason | null
  outcome_known: boolean
  past_no_return: boolean
  /** Of the id of the current attempt's order. */
  id_scheme: IdScheme
  attempts_data: PastAttempt[]
  due_at: Date | null
  lease_until: Date | null
  lease_token: bigint
  started_at: Date | null
  completed_at: Date | null
  created_at: Date
  updated_at: Date
}

/** The stage of a cart that is over and may still hold an authorization or an open effect. Execution clears it. */
export const cleanupStage = 'cleanup'

/** Until its point of no return: capture, or the submit of an external checkout. */
export function canCancelCart(cart: Pick<CartRow, 'status' | 'past_no_return'>): boolean {
  const isOpen =
    cart.status === 'created' || cart.status === 'in_progress' || cart.status === 'awaiting_merchant_auth'
  return isOpen && !cart.past_no_return
}

/** A second attempt never runs beside a first that may still land. */
export function canRetryCart(
  cart: Pick<CartRow, 'status' | 'attempt_number' | 'max_attempts' | 'outcome_known' | 'stage'>,
): boolean {
  const isOver = cart.status === 'failed' && cart.outcome_known && cart.stage !== cleanupStage
  return isOver && cart.attempt_number < cart.max_attempts
}

export function renderCart(row: CartRow, mode: Mode): Cart {
  return {
    id: row.id,
    object: 'cart',
    mode,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    purchase_attempt_id: row.attempt_id,
    status: row.status,
    attempt_number: row.attempt_number,
    max_attempts: row.max_attempts,
    can_retry: canRetryCart(row),
    can_cancel: canCancelCart(row),
    merchant: row.merchant_name,
    merchant_domain: row.merchant_domain,
    channel: row.channel,
    items: row.items,
    currency_code: row.currency,
    expected_amount: toWire(row.expected_amount),
    max_allowed_amount: toWire(row.max_allowed_amount),
    actual_amount: toWire(row.actual_amount),
    offer: row.offer,
    order: row.order_row_id,
    order_id: row.order_id,
    transaction_id: row.transaction_id,
    failure_reason: row.failure,
    started_at: row.started_at?.toISOString() ?? null,
    completed_at: row.completed_at?.toISOString() ?? null,
  }
}
