import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import type { LocationRow } from './location.ts'

type Tenanted = { account_id: Id<'acct'>; mode: Mode }
type Key = Tenanted & { id: string }

/** Every column a location is written with. */
export type LocationWrite = Omit<LocationRow, 'address' | 'hours' | 'metadata'> &
  Tenanted & { address: string; hours: string; metadata: string }

const columns = `id, name, address, timezone, visibility, hours, latitude, longitude, source_provider, source_fields, status, metadata,
  seq, created_at, updated_at, archived_at`

export const insertLocation = statement<never, LocationWrite>(
  'insert_business_location',
  `insert into business_locations (account_id, mode, ${columns})
   values ($account_id, $mode, $id, $name, $address, $timezone, $visibility, $hours, $latitude, $longitude, $source_provider,
     $source_fields, $status, $metadata, $seq, $created_at, $updated_at, $archived_at)`,
)

export const selectLocation = statement<LocationRow, Key>(
  'select_business_location',
  `select ${columns} from business_locations where account_id = $account_id and mode = $mode and id = $id`,
)

export const lockLocation = statement<LocationRow, Key>(
  'lock_business_location',
  `select ${columns} from business_locations where account_id = $account_id and mode = $mode and id = $id for no key update`,
)

/** Under `lockLocation`. */
export const updateLocationRow = statement<never, LocationWrite>(
  'update_business_location',
  `update business_locations set name = $name, address = $address, timezone = $timezone, visibility = $visibility, hours = $hours,
     latitude = $latitude, longitude = $longitude, source_provider = $source_provider, source_fields = $source_fields,
     status = $status, metadata = $metadata, seq = $seq, updated_at = $updated_at, archived_at = $archived_at
   where account_id = $account_id and mode = $mode and id = $id`,
)

export const selectLocations = statement<LocationRow, Tenanted & { limit: number; offset: number }>(
  'select_business_locations',
  `select ${columns} from business_locations where account_id = $account_id and mode = $mode
   order by id desc limit $limit + 1 offset $offset`,
)

export const countLocations = statement<{ counted: number; unarchived: number }, Tenanted>(
  'count_business_locations',
  `select count(*)::int as counted, (count(*) filter (where status <> 'archived'))::int as unarchived
   from business_locations where account_id = $account_id and mode = $mode`,
)

/** Those of the ids that the tenant has. */
export const selectLocationsByIds = statement<LocationRow, Tenanted & { ids: readonly string[] }>(
  'select_business_locations_by_ids',
  `select ${columns} from business_locations where account_id = $account_id and mode = $mode and id = any($ids::text[])`,
)
