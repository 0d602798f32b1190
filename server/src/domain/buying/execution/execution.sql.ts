import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { claimByMeansStatement } from '../../../platform/work/lease.sql.ts'
import type { Claimed } from '../../../platform/work/lease.ts'
import type { CartRow } from '../intents/public.ts'
import type { EffectRow, HoldRow } from './journal.ts'

type Tenanted = { account_id: Id<'acct'>; mode: Mode }
type OfCart = Tenanted & { cart_id: string }

export type ClaimedIntent = Claimed & { id: Id<'pi'> }
export type ClaimedCart = Claimed & { id: Id<'cart'>; intent_id: Id<'pi'> }

/** Intents whose approval is over, or whose execution has not begun; only the second takes means. */
export const claimIntents = claimByMeansStatement<
  ClaimedIntent,
  { modes: readonly Mode[]; ends_approval: readonly boolean[] }
>('purchase_intents', {
  modes: ['mode', 'mode'],
  ends_approval: [`(status = 'awaiting_approval')`, 'boolean'],
})

export const claimCarts = claimByMeansStatement<
  ClaimedCart,
  { modes: readonly Mode[]; channels: readonly CartRow['channel'][] }
>('carts', { modes: ['mode', 'mode'], channels: ['channel', 'text'] }, ['intent_id'])

/** Under the cart's lock: gives the lease back until the cart is due again. */
export const restCart = statement<
  never,
  Tenanted & { id: string; stage: string | null; due_at: Date | null }
>(
  'rest_cart',
  `update carts set stage = $stage, due_at = $due_at, lease_until = null
   where account_id = $account_id and mode = $mode and id = $id`,
)

/** Under the intent's lock. */
export const restIntent = statement<never, Tenanted & { id: string; due_at: Date | null }>(
  'rest_purchase_intent',
  `update purchase_intents set due_at = $due_at, lease_until = null
   where account_id = $account_id and mode = $mode and id = $id`,
)

/** Locked in the order in which everybody locks an intent's carts. */
export const wakeCarts = statement<
  never,
  { account_ids: readonly string[]; modes: readonly string[]; ids: readonly string[] }
>(
  'wake_carts',
  `/* tenantless: the relay's batch holds events of several tenants; each cart is named with its own account_id and mode */
   update carts c set due_at = prokura_now()
   from (
     select c.account_id, c.mode, c.id from carts c
     join unnest($account_ids::text[], $modes::mode[], $ids::text[]) as named (account_id, mode, id)
       on c.account_id = named.account_id and c.mode = named.mode and c.id = named.id
     order by c.id for update of c
   ) as held
   where c.account_id = held.account_id and c.mode = held.mode and c.id = held.id`,
)

/** After an unfreeze: whatever waited for it. */
export const wakeTenantCarts = statement<never, Tenanted>(
  'wake_tenant_carts',
  `update carts c set due_at = prokura_now()
   from (select id from carts where account_id = $account_id and mode = $mode and due_at is not null and lease_until is null
         and status in ('created', 'in_progress') order by id for update) as held
   where c.account_id = $account_id and c.mode = $mode and c.id = held.id`,
)

const effectColumns = `cart_id, attempt, step, key, intent_id, request_digest, request, state, tries, may_have_left, asked,
  asked_at, heard, answer, sent_at, settled_at, not_before, put_off, number`

/** What was done and tried for a cart, in all of its attempts. */
export const selectEffects = statement<EffectRow, OfCart>(
  'select_effects',
  `select ${effectColumns} from effects where account_id = $account_id and mode = $mode and cart_id = $cart_id
   order by attempt, sent_at`,
)

export type EffectWrite = Omit<EffectRow, 'request' | 'answer' | 'put_off'> &
  Tenanted & { request: string; answer: string | null; put_off: string | null }

export const insertEffect = statement<never, EffectWrite>(
  'insert_effect',
  `insert into effects (account_id, mode, ${effectColumns})
   values ($account_id, $mode, $cart_id, $attempt, $step, $key, $intent_id, $request_digest, $request, $state, $tries,
     $may_have_left, $asked, $asked_at, $heard, $answer, $sent_at, $settled_at, $not_before,
     $put_off, $number)`,
)

/** Under the cart's lock. What was asked for never changes: each key stands for it. */
export const updateEffect = statement<never, EffectWrite>(
  'update_effect',
  `update effects set key = $key, number = $number, state = $state, tries = $tries, may_have_left = $may_have_left, asked = $asked, asked_at = $asked_at,
     heard = $heard, answer = $answer, sent_at = $sent_at, settled_at = $settled_at, not_before = $not_before,
     put_off = $put_off
   where account_id = $account_id and mode = $mode and cart_id = $cart_id and attempt = $attempt and step = $step`,
)

const holdColumns = `cart_id, attempt, intent_id, kind, reference, amount, captured_amount, capture_reference, currency, status,
  expires_at, created_at, updated_at`

export const selectHolds = statement<HoldRow, OfCart>(
  'select_authorizations',
  `select ${holdColumns} from authorizations where account_id = $account_id and mode = $mode and cart_id = $cart_id
   order by attempt`,
)

export const insertHold = statement<never, HoldRow & Tenanted>(
  'insert_authorization',
  `insert into authorizations (account_id, mode, ${holdColumns})
   values ($account_id, $mode, $cart_id, $attempt, $intent_id, $kind, $reference, $amount, $captured_amount,
     $capture_reference, $currency, $status, $expires_at, $created_at, $updated_at)`,
)

/** Under the cart's lock. */
export const updateHold = statement<never, HoldRow & Tenanted>(
  'update_authorization',
  `update authorizations set status = $status, captured_amount = $captured_amount, capture_reference = $capture_reference,
     updated_at = $updated_at
   where account_id = $account_id and mode = $mode and cart_id = $cart_id and attempt = $attempt`,
)
