import { objectsPerAccountMax } from '../../../contract/page.ts'
import { getOperation, listOperation } from '../../../contract/read-operations.ts'
import { BusinessLocation, LocationParams, renderLocation } from './location.ts'
import { countLocations, selectLocation, selectLocations } from './locations.sql.ts'

export const getBusinessLocation = getOperation({
  id: 'v1_get_business_location',
  path: '/v1/business_locations/{location_id}',
  scope: 'merchant:read',
  tag: 'Business locations',
  summary: 'Read a business location',
  description: 'Shows its address, time zone, opening hours, and which fields a connected provider owns.',
  params: LocationParams,
  shows: BusinessLocation,
  row: selectLocation,
  render: (row, ctx) => renderLocation(row, ctx.tenant.mode),
})

export const listBusinessLocations = listOperation({
  id: 'v1_list_business_locations',
  path: '/v1/business_locations',
  scope: 'merchant:read',
  tag: 'Business locations',
  summary: 'List business locations, newest first',
  description: 'Shows where goods leave from or are picked up. Archived locations are in the list too.',
  limits: [objectsPerAccountMax, objectsPerAccountMax],
  lists: [BusinessLocation, 'BusinessLocationList'],
  rows: selectLocations,
  count: countLocations,
  render: (row, ctx) => renderLocation(row, ctx.tenant.mode),
})
