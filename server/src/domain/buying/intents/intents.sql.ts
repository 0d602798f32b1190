import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { correlate, sql } from '../../../platform/database/fragment.ts'
import { agentOfKey } from '../../accounts/api-keys/reads.sql.ts'
import { ordersOfPurchases } from '../../trade/orders/reads.sql.ts'
import type { IntentKey, IntentRow } from './intent.ts'

type Json =
  | 'items'
  | 'fulfillment'
  | 'policy_decision'
  | 'next_action'
  | 'failure'
  | 'offer_summary'
  | 'reapproval'
  | 'retry'
  | 'metadata'

/** A row as its statements take it: JSON as text. */
export type IntentWrite = Omit<IntentRow, Json> & Omit<IntentKey, 'id'> & Record<Json, string | null>

export const insertIntent = statement<never, IntentWrite>(
  'insert_purchase_intent',
  `insert into purchase_intents (account_id, mode, id, profile_id, api_key_id, payment_method_id, policy_id, status, currency,
     expected_amount, max_allowed_amount, actual_amount, settled_amount, caller_max_amount, fee_allowance, tax_allowance, tolerance_basis_points,
     on_price_exceed, items, fulfillment, policy_decision, policy_result, approval_required, approved_by, approved_at,
     approval_expires_at, payment_verified_at, next_action, failure, partial, cancel_reason, offer_summary, reapproval, retry, ship_to, reference_id, metadata,
     idempotency_key, actor_type, actor_id, merchants, search, seq, due_at, created_at, updated_at, started_at, completed_at,
     id_scheme)
   values ($account_id, $mode, $id, $profile_id, $api_key_id, $payment_method_id, $policy_id, $status, $currency,
     $expected_amount, $max_allowed_amount, $actual_amount, $settled_amount, $caller_max_amount, $fee_allowance, $tax_allowance,
     $tolerance_basis_points, $on_price_exceed, $items, $fulfillment, $policy_decision, $policy_result, $approval_required,
     $approved_by, $approved_at, $approval_expires_at, $payment_verified_at, $next_action, $failure, $partial, $cancel_reason,
     $offer_summary, $reapproval, $retry, $ship_to, $reference_id, $metadata, $idempotency_key, $actor_type, $actor_id, $merchants, $search, $seq, $due_at,
     $created_at, $updated_at, $started_at, $completed_at, $id_scheme)`,
)

/** The agent of a key that a row of `purchase_intents` names. */
const agentOf = (key_id: `purchase_intents.${string}`) =>
  correlate(agentOfKey, { account_id: 'purchase_intents.account_id', mode: 'purchase_intents.mode', key_id })

const columns = `id, profile_id, api_key_id, (${agentOf('purchase_intents.api_key_id').text}) as agent_id, payment_method_id, policy_id, status, currency, expected_amount, max_allowed_amount,
  actual_amount, settled_amount, caller_max_amount, fee_allowance, tax_allowance, tolerance_basis_points, on_price_exceed, items, fulfillment,
  policy_decision, policy_result, approval_required, approved_by, approved_at, approval_expires_at, payment_verified_at,
  next_action, failure, partial, cancel_reason, offer_summary, reapproval, retry, ship_to, reference_id, metadata, idempotency_key, actor_type, actor_id,
  merchants, search, seq, due_at, lease_until, lease_token, created_at, updated_at, started_at, completed_at, id_scheme`

export const selectIntent = statement<IntentRow, IntentKey>(
  'select_purchase_intent',
  `select ${columns} from purchase_intents where account_id = $account_id and mode = $mode and id = $id`,
)

/** Which of the ids are purchases for the profile, or orders of those. */
export const selectOwnPurchases = statement<
  { id: string },
  Omit<IntentKey, 'id'> & { profile_id: string; ids: string[] }
>(
  'select_own_purchases',
  sql`select p.id from purchase_intents p
   where p.account_id = $account_id and p.mode = $mode and p.profile_id = $profile_id and p.id = any($ids::text[])
   union all
   select o.id from ${ordersOfPurchases} o
   join purchase_intents i on i.account_id = $account_id and i.mode = $mode and i.id = o.purchase_intent_id
   where i.profile_id = $profile_id`,
)

/** An intent as a worker or a caller holds it. `is_approval_over` compares with the database's time; `retry_agent_id` asked for the retry that waits. */
export type LockedIntentRow = IntentRow & { is_approval_over: boolean; retry_agent_id: Id<'agent'> | null }

/** Holds the intent, the root of its carts, until the transaction ends. */
export const lockIntent = statement<LockedIntentRow, IntentKey>(
  'lock_purchase_intent',
  sql`select ${columns}, coalesce(approval_expires_at <= prokura_now(), false) as is_approval_over,
     ${agentOf(`purchase_intents.retry ->> 'api_key_id'`)} as retry_agent_id
   from purchase_intents where account_id = $account_id and mode = $mode and id = $id for update`,
)

/** What can change after the insert. Under `lockIntent`, so that nothing can have moved in between. */
/** What follows from its carts alone. No indexed column is among these, so that the row is updated in place. */
export const progressIntentRow = statement<
  never,
  Pick<
    IntentWrite,
    'account_id' | 'mode' | 'id' | 'actual_amount' | 'offer_summary' | 'search' | 'seq' | 'updated_at'
  >
>(
  'progress_purchase_intent',
  `update purchase_intents set actual_amount = $actual_amount, offer_summary = $offer_summary, search = $search, seq = $seq,
     updated_at = $updated_at
   where account_id = $account_id and mode = $mode and id = $id`,
)

export const updateIntentRow = statement<never, IntentWrite>(
  'update_purchase_intent',
  `update purchase_intents set payment_method_id = $payment_method_id, status = $status, expected_amount = $expected_amount,
     max_allowed_amount = $max_allowed_amount, actual_amount = $actual_amount, settled_amount = $settled_amount, fee_allowance = $fee_allowance,
     tax_allowance = $tax_allowance, tolerance_basis_points = $tolerance_basis_points, on_price_exceed = $on_price_exceed,
     items = $items, fulfillment = $fulfillment, policy_decision = $policy_decision, policy_result = $policy_result,
     approval_required = $approval_required, approved_by = $approved_by, approved_at = $approved_at,
     approval_expires_at = $approval_expires_at, payment_verified_at = $payment_verified_at, next_action = $next_action,
     failure = $failure, partial = $partial, cancel_reason = $cancel_reason, offer_summary = $offer_summary, reapproval = $reapproval, retry = $retry, ship_to = $ship_to, search = $search,
     seq = $seq, due_at = $due_at, lease_until = $lease_until, updated_at = $updated_at, started_at = $started_at,
     completed_at = $completed_at
   where account_id = $account_id and mode = $mode and id = $id`,
)
