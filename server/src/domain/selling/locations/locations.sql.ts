import { statement } from '../../../contract/statement.ts'
import { aggregate, type Tenanted } from '../../../platform/aggregate/aggregate.ts'
import type { LocationRow } from './location.ts'

const locations = aggregate<LocationRow>()({
  table: 'business_locations',
  columns: `id, name, address, timezone, visibility, hours, latitude, longitude, source_provider, source_fields, status, metadata,
    seq, created_at, updated_at, archived_at`,
  key: ['id'],
  json: ['address', 'hours', 'metadata'],
})

export const insertLocation = locations.insert('insert_business_location')
export const selectLocation = locations.select('select_business_location')
export const lockLocation = locations.lock('lock_business_location', 'for no key update')
export const updateLocationRow = locations.update('update_business_location')

export const selectLocations = statement<LocationRow, Tenanted & { limit: number; offset: number }>(
  'select_business_locations',
  `select ${locations.columns} from business_locations where account_id = $account_id and mode = $mode
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
  `select ${locations.columns} from business_locations where account_id = $account_id and mode = $mode and id = any($ids::text[])`,
)
