import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { aggregate, type Tenanted } from '../../../platform/aggregate/aggregate.ts'
import { keyIdOf, type SealedSample } from '../../../platform/secrets/sealed-witness.ts'
import type { ProfileRow } from './profile.ts'

type Key = Tenanted & { id: string }

const profiles = aggregate<ProfileRow>()({
  table: 'profiles',
  columns: `id, profile_type, first_name, last_name, email, phone, dob_sealed, country, status, issuing_state,
    issuing_requirements, addresses, metadata, seq, created_at, updated_at, archived_at`,
  key: ['id'],
  json: ['addresses', 'metadata'],
})

export const insertProfile = profiles.insert('insert_profile')
export const selectProfile = profiles.select('select_profile')
export const lockProfile = profiles.lock('lock_profile', 'for update')
export const updateProfileRow = profiles.update('update_profile')

export const selectProfileExists = statement<{ id: Id<'prof'> }, Key>(
  'select_profile_exists',
  `select id from profiles where account_id = $account_id and mode = $mode and id = $id`,
)

/**
 * Locked by a call that adds to a profile from another slice: otherwise, two first cards of one profile would both become the default.
 */
export const lockOwnerRow = statement<
  { addresses: { id: string }[]; status: string },
  Omit<Key, 'id'> & { profile_id: string }
>(
  'lock_payment_method_owner',
  // guard tenant-of-owner-of-cards: rows of other accounts and of the other mode do not exist for the caller
  `select addresses, status from profiles
   where account_id = $account_id and mode = $mode and id = $profile_id for no key update`,
)

type ProfileFilter = {
  account_id: Id<'acct'>
  mode: Mode
  status: string | null
  issuing: string | null
  profile_type: string | null
  country: string | null
  created_after: string | null
  created_before: string | null
  q: string | null
  /** This profile only. */
  id: string | null
}

// A filter that is null is not applied. The planner removes each such filter, because an unnamed statement is planned with its values.
// guard tenant-of-profiles: rows of other accounts and of the other mode do not exist for the caller
// guard own-profiles: an agent of one customer sees the rows of that customer
const filter = `account_id = $account_id and mode = $mode
  and ($status::text is null or status = $status)
  and ($issuing::text is null or issuing_state = $issuing)
  and ($profile_type::text is null or profile_type = $profile_type)
  and ($country::text is null or country = $country)
  and ($created_after::timestamptz is null or created_at > $created_after)
  and ($created_before::timestamptz is null or created_at < $created_before)
  and ($q::text is null or search like $q)
  and ($id::text is null or id = $id)`

export const selectProfiles = statement<ProfileRow, ProfileFilter & { limit: number; offset: number }>(
  '',
  `select ${profiles.columns} from profiles where ${filter} order by id desc limit $limit + 1 offset $offset`,
)

export const countProfiles = statement<{ counted: number }, ProfileFilter & { cap: number }>(
  '',
  `select count(*)::int as counted from (select 1 from profiles where ${filter} limit $cap + 1) as first_ones`,
)

/** One for each encryption key. */
export const selectSealedBirthDates = statement<SealedSample, Record<never, never>>(
  'select_sealed_birth_dates',
  `/* tenantless: of the installation */
   select distinct on (key_id) account_id, mode, id as id, dob_sealed as sealed, ${keyIdOf('dob_sealed')} as key_id
   from profiles where dob_sealed is not null order by key_id`,
)
