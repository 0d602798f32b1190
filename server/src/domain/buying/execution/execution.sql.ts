import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import type { EffectRow, HoldRow } from './journal.ts'

type Tenanted = { account_id: Id<'acct'>; mode: Mode }
type OfCart = Tenanted & { cart_id: string }

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
