import { statement } from '../../../contract/statement.ts'
import type { Tenanted } from '../../../platform/aggregate/aggregate.ts'
import { sweepByTime } from '../../../platform/retention/sweep-by-time.ts'

type ProfileKey = Tenanted & { profile_id: string }
type RefusalKey = ProfileKey & { address: string }

/** How many were refused in a row, for the profile and from the address. */
export const selectRefusals = statement<{ of_profile: number; of_address: number }, RefusalKey>(
  'select_card_refusals',
  `select coalesce(sum(refused) filter (where profile_id = $profile_id), 0)::int as of_profile,
     coalesce(sum(refused) filter (where address = $address), 0)::int as of_address
   from card_refusals
   where account_id = $account_id and mode = $mode and (profile_id = $profile_id or address = $address) and expires_at > prokura_now()`,
)

export const addRefusal = statement<never, RefusalKey & { now: Date; seconds: number }>(
  'add_card_refusal',
  `insert into card_refusals as r (account_id, mode, place, profile_id, address, refused, expires_at)
   values ($account_id, $mode, $profile_id || ' ' || $address, $profile_id, $address, 1, $now::timestamptz + make_interval(secs => $seconds))
   on conflict (account_id, mode, place) do update
     set refused = case when r.expires_at > $now::timestamptz then least(r.refused, 1000) else 0 end + 1, expires_at = excluded.expires_at`,
)

/** A profile that has proven a card has none any more, and none of its own are counted at its addresses. */
export const deleteRefusals = statement<never, ProfileKey>(
  'delete_card_refusals',
  `delete from card_refusals where account_id = $account_id and mode = $mode and profile_id = $profile_id`,
)

export const sweepRefusals = sweepByTime({
  table: 'card_refusals',
  since: 'expires_at',
  key: 'place',
  removes: 'how many cards were refused in a row',
})
