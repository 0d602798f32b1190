import { statement } from '../../../contract/statement.ts'
import type { Tenanted } from '../../../platform/aggregate/aggregate.ts'
import { sweepByTime } from '../../../platform/retention/sweep-by-time.ts'

type ProfileKey = Tenanted & { profile_id: string }

export const selectRailCustomer = statement<{ customer: string }, ProfileKey & { rail: string }>(
  'select_rail_customer',
  `select customer from rail_customers
   where account_id = $account_id and mode = $mode and profile_id = $profile_id and rail = $rail`,
)

/** Two first cards at once have the same customer: the rail knows the key of the profile. */
export const insertRailCustomer = statement<
  never,
  ProfileKey & { rail: string; customer: string; now: Date }
>(
  'insert_rail_customer',
  `insert into rail_customers (account_id, mode, profile_id, rail, customer, created_at)
   values ($account_id, $mode, $profile_id, $rail, $customer, $now) on conflict do nothing`,
)

export const insertCardSetup = statement<
  never,
  ProfileKey & { id: string; rail: string; customer: string; reference: string; now: Date; expires_at: Date }
>(
  'insert_card_setup',
  `insert into card_setups (account_id, mode, id, profile_id, rail, customer, reference, created_at, expires_at)
   values ($account_id, $mode, $id, $profile_id, $rail, $customer, $reference, $now, $expires_at)`,
)

export const selectCardSetup = statement<
  { rail: string; customer: string; reference: string },
  ProfileKey & { id: string }
>(
  'select_card_setup',
  `select rail, customer, reference from card_setups
   where account_id = $account_id and mode = $mode and profile_id = $profile_id and id = $id and expires_at > prokura_now()`,
)

/** No row: somebody was faster. */
export const useCardSetup = statement<{ id: string }, ProfileKey & { id: string; now: Date }>(
  'use_card_setup',
  // guard setup-is-used-once: one card that a person has entered becomes one payment method
  `update card_setups set used_at = $now
   where account_id = $account_id and mode = $mode and profile_id = $profile_id and id = $id and used_at is null
   returning id`,
)

export const sweepCardSetups = sweepByTime({
  table: 'card_setups',
  since: 'expires_at',
  key: 'id',
  removes: 'cards that people have begun to enter at a payment rail',
})
