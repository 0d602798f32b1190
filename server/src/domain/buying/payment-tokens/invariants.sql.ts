import { statement } from '../../../contract/statement.ts'
import type { Invariant, InvariantRow } from '../../../platform/audit/invariants.ts'

type None = Record<never, never>

/** M14. What the merchant authorizes by the token is at most the cart's cap, which is the amount of the token. */
export const checkTerms = statement<InvariantRow, None>(
  'invariant_token_terms',
  `/* tenantless: checks every tenant's rows, for the operator */
   with broken as (
     select t.id from payment_tokens t
     left join purchase_intents i on i.account_id = t.account_id and i.mode = t.mode and i.id = t.intent_id
     left join carts c on c.account_id = t.account_id and c.mode = t.mode and c.id = t.cart_id and c.intent_id = t.intent_id
     where i.id is null or c.id is null or t.amount > i.max_allowed_amount or t.amount <> c.max_allowed_amount
       or t.currency <> i.currency or c.merchant_account_id is distinct from t.merchant_account_id
       or c.max_attempts <> 1
       or exists (select from carts o where o.account_id = t.account_id and o.mode = t.mode and o.intent_id = t.intent_id and o.id <> t.cart_id)
       or t.order_id is not null and not c.past_no_return and c.status in ('created', 'in_progress')
     order by 1 limit 100)
   select (select count(*) from payment_tokens) as checked, (select array_agg(id) from broken) as violations`,
)

/**
 * M15. A cancelled cart that still holds a credential is due until the credential is released, which M6 checks. Where the merchant has
 * authorized against it and nothing is known of the end, nobody can authorize again.
 */
export const checkLiveCredentials = statement<InvariantRow, None>(
  'invariant_token_credentials',
  `/* tenantless: checks every tenant's rows, for the operator */
   with broken as (
     select t.id from payment_tokens t
     join carts c on c.account_id = t.account_id and c.mode = t.mode and c.id = t.cart_id
     join authorizations a on a.account_id = c.account_id and a.mode = c.mode and a.cart_id = c.id
     where a.status = 'authorized'
       and (c.status in ('succeeded', 'failed') and a.claimed_at is null and c.stage is distinct from 'cleanup'
         or c.status = 'cancelled' and c.due_at is null)
     order by 1 limit 100)
   select (select count(*) from payment_tokens) as checked, (select array_agg(id) from broken) as violations`,
)

export const paymentTokenInvariants: readonly Invariant[] = [
  {
    id: 'M14',
    title:
      'A payment token is the whole of its purchase: its one cart, with its merchant, currency and amount, within the cap',
    statement: checkTerms({}),
  },
  {
    id: 'M15',
    title: 'Once the cart of a payment token has ended, its credential cannot be charged any more',
    statement: checkLiveCredentials({}),
  },
]
