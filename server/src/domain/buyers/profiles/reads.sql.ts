import type { Mode } from '../../../contract/context.ts'
import type { Fragment } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { sql } from '../../../platform/database/fragment.ts'
import type { BuyerFacts } from './profile.ts'

type Tenanted = { account_id: Id<'acct'>; mode: Mode }

/** The name of a profile's person, as people write it. */
export const profileName: Fragment<{ name: string }, Tenanted & { profile_id: string }> =
  sql`select concat_ws(' ', first_name, last_name) as name from profiles where account_id = $account_id and mode = $mode and id = $profile_id`

/** Which of the ids are profiles of the tenant. */
// guard tenant-of-profiles-of-a-policy: rows of other accounts and of the other mode do not exist for the caller
export const knownProfiles: Fragment<{ id: string }, Tenanted & { profile_ids: readonly string[] }> =
  sql`select id from profiles where account_id = $account_id and mode = $mode and id = any($profile_ids::text[])`

/** The newest profiles whose search text contains this text. */
export const profilesNamed: Fragment<{ id: string }, Tenanted & { within_name: string }> =
  sql`select id from profiles where account_id = $account_id and mode = $mode and search like $within_name order by id desc limit 1000`

/** The columns of a profile from which a purchase is decided, and with which it is released. */
export const buyer: Fragment<BuyerFacts, Tenanted & { profile_id: string }> =
  sql`select id, status, country, first_name, last_name, email, phone, addresses from profiles
   where account_id = $account_id and mode = $mode and id = $profile_id`
