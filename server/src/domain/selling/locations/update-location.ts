import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed } from '../../../contract/schemas.ts'
import { BusinessLocation, LocationParams, type LocationRow, LocationUpdate } from './location.ts'
import { changeLocation, writtenFields } from './write-location.ts'

export const updateBusinessLocation = defineOperation({
  id: 'v1_update_business_location',
  method: 'POST',
  path: '/v1/business_locations/{location_id}',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Business locations',
  summary: 'Update a business location',
  description:
    'Fields you leave out stay as they are; `address`, `hours`, `source` and `metadata` are replaced as a whole. Fields ' +
    'that a connected provider owns change only when `source` names that provider.',
  params: Closed(LocationParams),
  body: LocationUpdate,
  examples: { make_private: { summary: 'Hide it from buyers', body: { visibility: 'private' } } },
  responses: { 200: BusinessLocation },
  problems: ['not_found', 'location_archived', 'field_owned_by_provider'],
  async handle(ctx, { path, body }) {
    const location = await changeLocation(ctx, path.location_id, 'business_location.updated', (row) => {
      if (row.status === 'archived') throw new Problem('location_archived')
      refuseOwned(row, body)
      return writtenFields(row, body)
    })
    return reply(200, location)
  },
})

function refuseOwned(row: LocationRow, body: LocationUpdate): void {
  if (row.source_provider === null || body.source?.provider === row.source_provider) return
  const owned = row.source_fields.find((field) => body[field] !== undefined)
  if (owned === undefined) return
  throw new Problem('field_owned_by_provider', {
    param: owned,
    message: `${owned} is synchronized from ${row.source_provider}, which owns it. Change it there, or disconnect it first with source: null.`,
  })
}
