import type { Fragment } from '../../../contract/statement.ts'
import type { Tenanted } from '../../../platform/aggregate/aggregate.ts'
import { sql } from '../../../platform/database/fragment.ts'
import type { PayingMethod, PaymentMethodRow } from './payment-method.ts'
import { selectUsablePaymentMethod } from './payment-methods.sql.ts'

/** The named method of a profile, or its default; no row when there is none. */
export const payingMethod: Fragment<
  PayingMethod,
  Tenanted & { profile_id: string; payment_method_id: string | null }
> = selectUsablePaymentMethod

/** Which of the ids are methods of the tenant that were not deleted. */
// guard tenant-of-cards-of-a-policy: rows of other accounts and of the other mode do not exist for the caller
// guard kept-cards-of-a-policy: a policy names no card that was deleted
export const knownMethods: Fragment<{ id: string }, Tenanted & { payment_method_ids: readonly string[] }> =
  sql`select id from payment_methods
   where account_id = $account_id and mode = $mode and id = any($payment_method_ids::text[]) and deleted_at is null`

/** Which of the ids are, or were, methods of the profile. */
export const methodsOfProfile: Fragment<
  { id: string },
  Tenanted & { profile_id: string | null; payment_method_ids: readonly string[] }
> = sql`select m.id from payment_methods m
   where m.account_id = $account_id and m.mode = $mode and m.profile_id = $profile_id and m.id = any($payment_method_ids::text[])`

/** All methods that the profile has or had. */
export const cardsOfProfile: Fragment<{ id: string }, Tenanted & { profile_id: string }> =
  sql`select m.id from payment_methods m
   where m.account_id = $account_id and m.mode = $mode and m.profile_id = $profile_id`

/** What people and banks know cards by, those too that were deleted. */
export const cardsNamed: Fragment<
  Pick<PaymentMethodRow, 'id' | 'card_brand' | 'card_last4'>,
  Tenanted & { payment_method_ids: readonly string[] }
> = sql`select id, card_brand, card_last4 from payment_methods
   where account_id = $account_id and mode = $mode and id = any($payment_method_ids::text[]) order by id`
