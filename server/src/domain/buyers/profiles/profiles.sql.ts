import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { keyIdOf, type SealedSample } from '../../../platform/secrets/sealed-witness.ts'
import type { ProfileRow } from './profile.ts'

type Key = { account_id: Id<'acct'>; mode: Mode; id: string }

/** Every column a profile is written with. */
export type ProfileWrite = Omit<ProfileRow, 'addresses' | 'metadata'> & {
  account_id: Id<'acct'>
  mode: Mode
  addresses: string
  metadata: string
}

export const insertProfile = statement<never, ProfileWrite>(
  'insert_profile',
  `insert into profiles (account_id, mode, id, profile_type, first_name, last_name, email, phone, dob_sealed, country, status,
     issuing_state, issuing_requirements, addresses, metadata, seq, created_at, updated_at, archived_at)
   values ($account_id, $mode, $id, $profile_type, $first_name, $last_name, $email, $phone, $dob_sealed, $country, $status,
     $issuing_state, $issuing_requirements, $addresses, $metadata, $seq, $created_at, $updated_at, $archived_at)`,
)

const columns = `id, profile_type, first_name, last_name, email, phone, dob_sealed, country, status, issuing_state,
  issuing_requirements, addresses, metadata, seq, created_at, updated_at, archived_at`

export const selectProfile = statement<ProfileRow, Key>(
  'select_profile',
  `select ${columns} from profiles where account_id = $account_id and mode = $mode and id = $id`,
)

export const selectProfileExists = statement<{ id: Id<'prof'> }, Key>(
  'select_profile_exists',
  `select id from profiles where account_id = $account_id and mode = $mode and id = $id`,
)

/** Holds the profile until the transaction ends: whoever writes it after us sees what we wrote. */
export const lockProfile = statement<ProfileRow, Key>(
  'lock_profile',
  `select ${columns} from profiles where account_id = $account_id and mode = $mode and id = $id for update`,
)

/** Held by who adds to a profile from another slice: of two first cards of one profile, both would become the default. */
export const lockOwnerRow = statement<
  { addresses: { id: string }[]; status: string },
  Omit<Key, 'id'> & { profile_id: string }
>(
  'lock_payment_method_owner',
  `select addresses, status from profiles
   where account_id = $account_id and mode = $mode and id = $profile_id for no key update`,
)

/** Under `lockProfile`, so that nothing can have moved in between. */
export const updateProfileRow = statement<never, ProfileWrite>(
  'update_profile',
  `update profiles set profile_type = $profile_type, first_name = $first_name, last_name = $last_name, email = $email,
     phone = $phone, dob_sealed = $dob_sealed, country = $country, status = $status, issuing_state = $issuing_state,
     issuing_requirements = $issuing_requirements, addresses = $addresses, metadata = $metadata, seq = $seq,
     created_at = $created_at, updated_at = $updated_at, archived_at = $archived_at
   where account_id = $account_id and mode = $mode and id = $id`,
)

export type ProfileFilter = {
  account_id: Id<'acct'>
  mode: Mode
  status: string | null
  issuing: string | null
  profile_type: string | null
  country: string | null
  created_after: string | null
  created_before: string | null
  q: string | null
  /** This one alone. */
  id: string | null
}

// A null filter is no filter: the planner folds each away: an unnamed statement is planned with its values.
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
  `select ${columns} from profiles where ${filter} order by id desc limit $limit + 1 offset $offset`,
)

export const countProfiles = statement<{ counted: number }, ProfileFilter & { cap: number }>(
  '',
  `select count(*)::int as counted from (select 1 from profiles where ${filter} limit $cap + 1) as first_ones`,
)

/** One of each encryption key. */
export const selectSealedBirthDates = statement<SealedSample, Record<never, never>>(
  'select_sealed_birth_dates',
  `/* tenantless: of the installation */
   select distinct on (key_id) account_id, mode, id as id, dob_sealed as sealed, ${keyIdOf('dob_sealed')} as key_id
   from profiles where dob_sealed is not null order by key_id`,
)
