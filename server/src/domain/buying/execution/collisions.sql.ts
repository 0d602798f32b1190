import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { sql } from '../../../platform/database/fragment.ts'
import { cartsNamed, cartsOfFirstScheme, type NamedCarts } from '../intents/reads.sql.ts'
import type { HoldStatus } from './cart-facts.ts'
import type { EffectRow } from './journal.ts'

/** An attempt under the first scheme that has asked for money and has no order: its order's id may be that of another cart's order. */
export type OrderlessAttempt = {
  account_id: Id<'acct'>
  mode: Mode
  cart_id: Id<'cart'>
  intent_id: Id<'pi'>
  attempt: number
  /** The key by which the rail knows the hold, and the amount that was asked for. */
  key: string
  state: EffectRow['state']
  request: EffectRow['request']
  /** Null: no row knows of a hold. */
  hold_status: HoldStatus | null
}

export const selectOrderlessAttempts = statement<OrderlessAttempt, Record<never, never>>(
  'select_orderless_attempts',
  sql`/* tenantless: an operator's repair looks through every tenant; each row names its own */
   select c.account_id, c.mode, c.id as cart_id, c.intent_id, c.attempt_number as attempt, e.key, e.state, e.request,
     a.status as hold_status
   from ${cartsOfFirstScheme} c
   join effects e on e.account_id = c.account_id and e.mode = c.mode and e.cart_id = c.id and e.attempt = c.attempt_number
     and e.step = 'authorize'
   left join authorizations a on a.account_id = c.account_id and a.mode = c.mode and a.cart_id = c.id
     and a.attempt = c.attempt_number
   where e.state not in ('refused', 'closed')
     and not exists (select 1 from effects p where p.account_id = c.account_id and p.mode = c.mode and p.cart_id = c.id
       and p.attempt = c.attempt_number and p.step = 'place')
   order by c.account_id, c.mode, c.id`,
)

export type RepairedCart = {
  account_id: Id<'acct'>
  mode: Mode
  id: Id<'cart'>
  status: string
  attempt_number: number
  max_attempts: number
  hold_reference: string | null
  hold_status: HoldStatus | null
}

/** How these carts ended. */
export const selectRepairedCarts = statement<RepairedCart, NamedCarts>(
  'select_repaired_carts',
  sql`/* tenantless: each cart is named with its own account_id and mode */
   select c.account_id, c.mode, c.id, c.status, c.attempt_number, c.max_attempts, a.reference as hold_reference,
     a.status as hold_status
   from ${cartsNamed} c
   left join authorizations a on a.account_id = c.account_id and a.mode = c.mode and a.cart_id = c.id
     and a.attempt = c.attempt_number`,
)
