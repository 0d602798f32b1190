import type { Mode } from '../../../contract/context.ts'
import type { Fragment } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { sql } from '../../../platform/database/fragment.ts'
import type { BuyerRow } from './profile.ts'

type Tenanted = { account_id: Id<'acct'>; mode: Mode }

/** Whom a profile is of, as a person calls them. */
export const profileName: Fragment<
  { first_name: string; last_name: string },
  Tenanted & { profile_id: string }
> =
  sql`select first_name, last_name from profiles where account_id = $account_id and mode = $mode and id = $profile_id`

/** Which of the ids are profiles of the tenant. */
export const knownProfiles: Fragment<{ id: string }, Tenanted & { profile_ids: readonly string[] }> =
  sql`select id from profiles where account_id = $account_id and mode = $mode and id = any($profile_ids::text[])`

/** The newest profiles in whose searched text this is found. */
export const profilesNamed: Fragment<{ id: string }, Tenanted & { within_name: string }> =
  sql`select id from profiles where account_id = $account_id and mode = $mode and search like $within_name order by id desc limit 1000`

/** What of a profile a purchase is decided from. */
export const buyer: Fragment<BuyerRow, Tenanted & { profile_id: string }> =
  sql`select id, status, country, addresses from profiles
   where account_id = $account_id and mode = $mode and id = $profile_id`
