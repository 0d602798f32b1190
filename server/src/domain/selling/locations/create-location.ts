import Type from 'typebox'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { objectsPerAccountMax } from '../../../contract/page.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed } from '../../../contract/schemas.ts'
import { Ruled } from '../../../schema/rules.ts'
import { lockAccount } from '../../accounts/api-keys/public.ts'
import {
  BusinessLocation,
  bothCoordinates,
  LocationFields,
  type LocationRow,
  locationRules,
} from './location.ts'
import { countLocations } from './locations.sql.ts'
import { addLocation, writtenFields } from './write-location.ts'

const { name, address, timezone, ...optional } = LocationFields

const LocationCreate = Ruled(
  Closed({ name, address, timezone, ...Type.Partial(Closed(optional)).properties }),
  { together: locationRules.together },
  bothCoordinates,
)

export const createBusinessLocation = defineOperation({
  id: 'v1_create_business_location',
  method: 'POST',
  path: '/v1/business_locations',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Business locations',
  summary: 'Create a business location',
  description:
    'A place that goods leave from or where they are picked up. It is private until you make it public. Next, name it in ' +
    'the `location_ids` of rate cards.',
  body: LocationCreate,
  examples: {
    shop: {
      summary: 'Add a shop with opening hours',
      body: {
        name: 'Loop store',
        address: {
          line1: '233 S Wacker Drive',
          city: 'Chicago',
          state: 'IL',
          postal_code: '60606',
          country: 'US',
        },
        timezone: 'America/Chicago',
        visibility: 'public',
        hours: [{ weekday: 'monday', opens: '09:00', closes: '18:00' }],
      },
    },
  },
  responses: { 201: BusinessLocation },
  problems: ['object_limit_reached'],
  async handle(ctx, { body }) {
    const { accountId, mode } = ctx.tenant
    const blank: LocationRow = {
      id: ctx.newId('loc'),
      name: body.name,
      address: { ...body.address, line2: null, state: null, postal_code: null },
      timezone: body.timezone,
      visibility: 'private',
      hours: [],
      latitude: null,
      longitude: null,
      source_provider: null,
      source_fields: [],
      status: 'active',
      metadata: {},
      seq: 1,
      created_at: ctx.now,
      updated_at: ctx.now,
      archived_at: null,
    }
    const row = { ...blank, ...writtenFields(blank, body) }
    await lockAccount(ctx)
    const count = await ctx.tx.maybe(countLocations({ account_id: accountId, mode }))
    if (count && count.unarchived >= objectsPerAccountMax) throw new Problem('object_limit_reached')
    return reply(201, addLocation(ctx, row, 'business_location.created'))
  },
})
