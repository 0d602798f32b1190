import { defineOperation, reply } from '../../../contract/operation.ts'
import { Closed } from '../../../contract/schemas.ts'
import { BusinessLocation, LocationParams } from './location.ts'
import { changeLocation } from './write-location.ts'

export const archiveBusinessLocation = defineOperation({
  id: 'v1_archive_business_location',
  method: 'POST',
  path: '/v1/business_locations/{location_id}/archive',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Business locations',
  summary: 'Archive a business location',
  description:
    'This cannot be undone. Rate cards that name it no longer measure distances from it. Archiving it again changes ' +
    'nothing.',
  destructive: true,
  params: Closed(LocationParams),
  responses: { 200: BusinessLocation },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    const location = await changeLocation(ctx, path.location_id, 'business_location.archived', (row) =>
      row.status === 'archived' ? {} : { status: 'archived', archived_at: ctx.now },
    )
    return reply(200, location)
  },
})
