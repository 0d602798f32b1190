import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import type { CartRow } from './cart.ts'

type Json = 'items' | 'offer' | 'failure' | 'attempts_data'

/** A row as its statements take it: JSON as text. */
export type CartWrite = Omit<CartRow, Json> &
  Record<Json, string | null> & { account_id: Id<'acct'>; mode: Mode }

export const insertCart = statement<never, CartWrite>(
  'insert_cart',
  `insert into carts (account_id, mode, id, intent_id, position, merchant_name, merchant_domain, merchant_account_id, channel,
     items, status, stage, attempt_number, attempt_id, max_attempts, currency, expected_amount, max_allowed_amount,
     actual_amount, fee_allowance, tax_allowance, tolerance_basis_points, offer, order_row_id, order_id, transaction_id,
     failure, outcome_known, past_no_return, attempts_data, due_at, lease_until, lease_token, started_at, completed_at,
     created_at, updated_at, id_scheme)
   values ($account_id, $mode, $id, $intent_id, $position, $merchant_name, $merchant_domain, $merchant_account_id, $channel,
     $items, $status, $stage, $attempt_number, $attempt_id, $max_attempts, $currency, $expected_amount, $max_allowed_amount,
     $actual_amount, $fee_allowance, $tax_allowance, $tolerance_basis_points, $offer, $order_row_id, $order_id,
     $transaction_id, $failure, $outcome_known, $past_no_return, $attempts_data, $due_at, $lease_until, $lease_token,
     $started_at, $completed_at, $created_at, $updated_at, $id_scheme)`,
)

const columns = `id, intent_id, position, merchant_name, merchant_domain, merchant_account_id, channel, items, status, stage,
  attempt_number, attempt_id, max_attempts, currency, expected_amount, max_allowed_amount, actual_amount, fee_allowance,
  tax_allowance, tolerance_basis_points, offer, order_row_id, order_id, transaction_id, failure, outcome_known,
  past_no_return, attempts_data, due_at, lease_until, lease_token, started_at, completed_at, created_at, updated_at,
  id_scheme`

type OfIntent = { account_id: Id<'acct'>; mode: Mode; intent_id: string }

export const selectCarts = statement<CartRow, OfIntent>(
  'select_carts',
  `select ${columns} from carts where account_id = $account_id and mode = $mode and intent_id = $intent_id order by position`,
)

/** Holds an intent's carts until the transaction ends. After `lockIntent`: the intent is the root. */
export const lockCarts = statement<CartRow, OfIntent>(
  'lock_carts',
  `select ${columns} from carts where account_id = $account_id and mode = $mode and intent_id = $intent_id
   order by position for update`,
)

/** What can change after the insert. Under `lockCarts`. The lease token is the claim's alone. */
export const updateCartRow = statement<never, CartWrite>(
  'update_cart',
  `update carts set items = $items, status = $status, stage = $stage, attempt_number = $attempt_number,
     attempt_id = $attempt_id, expected_amount = $expected_amount, max_allowed_amount = $max_allowed_amount,
     actual_amount = $actual_amount, fee_allowance = $fee_allowance, tax_allowance = $tax_allowance,
     tolerance_basis_points = $tolerance_basis_points, offer = $offer,
     order_row_id = $order_row_id, order_id = $order_id, transaction_id = $transaction_id, failure = $failure,
     outcome_known = $outcome_known, past_no_return = $past_no_return, attempts_data = $attempts_data, due_at = $due_at,
     lease_until = $lease_until, started_at = $started_at, completed_at = $completed_at, updated_at = $updated_at,
     id_scheme = $id_scheme
   where account_id = $account_id and mode = $mode and id = $id`,
)
