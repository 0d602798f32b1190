import type { Mode } from '../../../contract/context.ts'
import type { Fragment } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { correlate, sql } from '../../../platform/database/fragment.ts'
import { agentOfKey } from '../../accounts/api-keys/reads.sql.ts'
import type { CartRow } from './cart.ts'

type OfProfile = { account_id: Id<'acct'>; mode: Mode; profile_id: string | null }

type Cart = Pick<CartRow, 'id' | 'intent_id' | 'status' | 'channel' | 'attempt_number' | 'max_attempts'>

const columns = 'account_id, mode, id, intent_id, status, channel, attempt_number, max_attempts'

/** For a statement that selects them by account, mode and id. */
export const storedCarts: Fragment<Cart, unknown> = sql`/* tenantless: whose, the statement around it says */
   select ${columns} from carts`

/** The profile that a cart is bought for, as long as the lease with this token is the last one. */
export const heldCart: Fragment<
  { profile_id: string },
  { account_id: Id<'acct'>; mode: Mode; cart_id: string; intent_id: string; lease_token: bigint }
> = sql`select whole.profile_id from carts one
   join purchase_intents whole on whole.account_id = one.account_id and whole.mode = one.mode and whole.id = one.intent_id
   where one.account_id = $account_id and one.mode = $mode and one.id = $cart_id and one.intent_id = $intent_id
     and one.lease_token = $lease_token`

/** The profile and key of intents, by their account, mode and id. */
export const storedIntents: Fragment<{ id: string; profile_id: string; api_key_id: string | null }, unknown> =
  sql`/* tenantless: whose, the statement around it says */
   select account_id, mode, id, profile_id, api_key_id from purchase_intents`

/** For whom something is bought, and which component a person needs for it now; null: none. */
export const componentOfIntent: Fragment<
  { profile_id: Id<'prof'>; component: string | null },
  { account_id: Id<'acct'>; mode: Mode; purchase_intent_id: string }
> = sql`select profile_id, next_action ->> 'element' as component from purchase_intents
   where account_id = $account_id and mode = $mode and id = $purchase_intent_id`

/** Whether so many purchases of the tenant have succeeded. */
export const hasBought: Fragment<
  { has_bought: boolean },
  { account_id: Id<'acct'>; mode: Mode; purchases: number }
> = sql`select count(*) >= $purchases as has_bought from (
     select 1 from purchase_intents where account_id = $account_id and mode = $mode and status = 'succeeded' limit $purchases
   ) p`

/** What a person who approves a purchase is asked to agree to. */
export const termsOfIntent: Fragment<
  {
    profile_id: Id<'prof'>
    payment_method_id: Id<'pm'> | null
    is_awaiting: boolean
    is_reapproval: boolean
    cap: bigint
    currency: string
    hosts: string[]
  },
  { account_id: Id<'acct'>; mode: Mode; purchase_intent_id: string | null }
> = sql`select profile_id, payment_method_id, currency,
     status = 'awaiting_approval' and coalesce(approval_expires_at > prokura_now(), true)
       and not coalesce(next_action ->> 'type' = 'verify_payment' and next_action ? 'cart_id', false) as is_awaiting,
     reapproval is not null as is_reapproval,
     coalesce((reapproval ->> 'max_allowed_amount')::bigint, max_allowed_amount) as cap,
     array(select distinct lower(split_part(split_part(one ->> 'url', '/', 3), ':', 1))
       from jsonb_array_elements(items) one order by 1) as hosts
   from purchase_intents where account_id = $account_id and mode = $mode and id = $purchase_intent_id`

/** What a purchase waits for that a person types at a merchant: the sign-in of one cart, or the code that was sent for it. */
export const signInOfIntent: Fragment<
  { type: string; host: string; cart_id: Id<'cart'> },
  { account_id: Id<'acct'>; mode: Mode; purchase_intent_id: string }
> =
  sql`select next_action ->> 'type' as type, next_action ->> 'merchant_domain' as host, next_action ->> 'cart_id' as cart_id
   from purchase_intents
   where account_id = $account_id and mode = $mode and id = $purchase_intent_id
     and next_action ->> 'element' = 'MerchantAuthHandoff'`

/** A row where a purchase still waits for the approval that ends at this moment. */
// guard asked-this-once: what answers one question about a purchase answers no later one, and none that was answered
export const askedApproval: Fragment<
  { id: string },
  { account_id: Id<'acct'>; mode: Mode; purchase_intent_id: string; asked_until: Date }
> =
  sql`select id from purchase_intents where account_id = $account_id and mode = $mode and id = $purchase_intent_id
   and status = 'awaiting_approval' and approval_expires_at = $asked_until and approval_expires_at > prokura_now()`

/** The purchases for a profile. */
export const intentsOfProfile: Fragment<{ id: string }, OfProfile> =
  sql`select id from purchase_intents where account_id = $account_id and mode = $mode and profile_id = $profile_id`

/** A cart that is bought by a token: how far it is, how the rail knows its merchant, and for whom it is bought. */
export const standingOfCart: Fragment<
  {
    cart_status: CartRow['status']
    failure_code: string | null
    is_handed_out: boolean
    acceptor: string
    profile_id: string
    agent_id: Id<'agent'> | null
  },
  { account_id: Id<'acct'>; mode: Mode; cart_id: string }
> =
  sql`select one.status as cart_status, one.failure ->> 'code' as failure_code, one.past_no_return as is_handed_out,
     one.merchant_domain as acceptor, whole.profile_id, ${correlate(agentOfKey, {
       account_id: 'whole.account_id',
       mode: 'whole.mode',
       key_id: 'whole.api_key_id',
     })} as agent_id
   from carts one
   join purchase_intents whole on whole.account_id = one.account_id and whole.mode = one.mode and whole.id = one.intent_id
   where one.account_id = $account_id and one.mode = $mode and one.id = $cart_id`
