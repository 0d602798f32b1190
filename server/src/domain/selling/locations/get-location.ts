import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed } from '../../../contract/schemas.ts'
import { BusinessLocation, LocationParams, renderLocation } from './location.ts'
import { selectLocation } from './locations.sql.ts'

export const getBusinessLocation = defineOperation({
  id: 'v1_get_business_location',
  method: 'GET',
  path: '/v1/business_locations/{location_id}',
  auth: 'secret',
  scope: 'merchant:read',
  tag: 'Business locations',
  summary: 'Read a business location',
  description: 'Shows its address, time zone, opening hours, and which fields a connected provider owns.',
  params: Closed(LocationParams),
  responses: { 200: BusinessLocation },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    const { accountId, mode } = ctx.tenant
    const row = await ctx.reads.maybe(selectLocation({ account_id: accountId, mode, id: path.location_id }))
    if (!row) throw new Problem('not_found', { param: 'location_id' })
    return reply(200, renderLocation(row, mode))
  },
})
