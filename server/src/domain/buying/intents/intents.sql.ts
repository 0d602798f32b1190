import { type Fragment, statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { aggregate } from '../../../platform/aggregate/aggregate.ts'
import { correlate, sql } from '../../../platform/database/fragment.ts'
import { agentOfKey } from '../../accounts/api-keys/reads.sql.ts'
import { ordersOfPurchases } from '../../trade/orders/reads.sql.ts'
import type { IntentKey, IntentRow } from './intent.ts'
import type { OfIntent } from './read/intent-events.sql.ts'

/** Of these the agent is told by its key, and the lease token is the claim's alone. */
const intents = aggregate<Omit<IntentRow, 'agent_id' | 'lease_token'>>()({
  table: 'purchase_intents',
  columns: `id, profile_id, api_key_id, payment_method_id, policy_id, status, currency, expected_amount, max_allowed_amount,
    actual_amount, settled_amount, caller_max_amount, fee_allowance, tax_allowance, tolerance_basis_points, on_price_exceed, items,
    fulfillment, policy_decision, policy_result, approval_required, approved_by, approved_at, approval_expires_at,
    payment_verified_at, next_action, failure, partial, cancel_reason, offer_summary, reapproval, retry, ship_to, reference_id,
    metadata, idempotency_key, actor_type, actor_id, merchants, search, seq, due_at, lease_until, created_at, updated_at,
    started_at, completed_at, pays_by_token, promo_code, buyer, kept_answers, payment_proof`,
  key: ['id'],
  json: [
    'items',
    'fulfillment',
    'policy_decision',
    'next_action',
    'failure',
    'offer_summary',
    'reapproval',
    'retry',
    'metadata',
    'buyer',
    'kept_answers',
    'payment_proof',
  ],
  fixed: [
    'profile_id',
    'api_key_id',
    'policy_id',
    'currency',
    'caller_max_amount',
    'reference_id',
    'metadata',
    'idempotency_key',
    'actor_type',
    'actor_id',
    'merchants',
    'pays_by_token',
    'promo_code',
    'kept_answers',
  ],
})

export const insertIntent = intents.insert('insert_purchase_intent')
/** Run it under `lockIntent`, so that nothing can have changed in between. */
export const updateIntentRow = intents.change('update_purchase_intent')
export const { differences: intentDifferences } = intents

/** The agent of a key that a row of `purchase_intents` names. */
const agentOf = (key_id: `purchase_intents.${string}`) =>
  correlate(agentOfKey, { account_id: 'purchase_intents.account_id', mode: 'purchase_intents.mode', key_id })

const agent = `(${agentOf('purchase_intents.api_key_id').text}) as agent_id`
const columns = `${intents.columns}, ${agent}, lease_token`

export const selectIntent = statement<IntentRow, IntentKey>(
  'select_purchase_intent',
  // guard tenant-of-intent: rows of other accounts and of the other mode do not exist for the caller
  `select ${columns} from purchase_intents where account_id = $account_id and mode = $mode and id = $id`,
)

export const selectProfileOfIntent = statement<{ profile_id: Id<'prof'> }, IntentKey>(
  'select_profile_of_intent',
  `select profile_id from purchase_intents where account_id = $account_id and mode = $mode and id = $id`,
)

/** Which of the ids name purchases for the profile, or orders of such purchases. */
export const selectOwnPurchases = statement<
  { id: string },
  Omit<IntentKey, 'id'> & { profile_id: string; ids: string[] }
>(
  'select_own_purchases',
  // guard own-purchases-of-orders: an agent of one customer sees the rows of that customer
  // guard own-purchases: an agent of one customer sees the rows of that customer
  sql`select p.id from purchase_intents p
   where p.account_id = $account_id and p.mode = $mode and p.profile_id = $profile_id and p.id = any($ids::text[])
   union all
   select o.id from ${ordersOfPurchases} o
   join purchase_intents i on i.account_id = $account_id and i.mode = $mode and i.id = o.purchase_intent_id
   where i.profile_id = $profile_id`,
)

/**
 * An intent as a worker or a call holds it. `is_approval_over` compares with the database's time; `retry_agent_id` is the agent that
 * requested the waiting retry.
 */
export type LockedIntentRow = IntentRow & { is_approval_over: boolean; retry_agent_id: Id<'agent'> | null }

export const intentTimes = [
  'approved_at',
  'approval_expires_at',
  'payment_verified_at',
  'due_at',
  'lease_until',
  'created_at',
  'updated_at',
  'started_at',
  'completed_at',
] as const satisfies readonly (keyof IntentRow)[]
const amounts = [
  'expected_amount',
  'max_allowed_amount',
  'actual_amount',
  'settled_amount',
  'caller_max_amount',
  'fee_allowance',
  'tax_allowance',
] as const satisfies readonly (keyof IntentRow)[]
export const intentBigints = [...amounts, 'lease_token'] as const satisfies readonly (keyof IntentRow)[]

/** Another one after each update of the row. */
export const intentVersion: Fragment<{ version: string }, OfIntent> =
  sql`select xmin::text as version from purchase_intents where account_id = $account_id and mode = $mode and id = $intent_id`

/** Locks the intent, the root of its carts, until the transaction ends. For `combineReads`. */
// guard intent-is-locked: of two decisions about an intent the second sees the first
// guard tenant-of-locked-intent: rows of other accounts and of the other mode do not exist for the caller
export const lockIntent: Fragment<LockedIntentRow & { version: string }, OfIntent> =
  sql`select ${intents.columnsAsText(amounts)}, ${agent}, lease_token::text as lease_token, xmin::text as version,
     coalesce(approval_expires_at <= prokura_now(), false) as is_approval_over,
     ${agentOf(`purchase_intents.retry ->> 'api_key_id'`)} as retry_agent_id
   from purchase_intents where account_id = $account_id and mode = $mode and id = $intent_id for update`
