import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdParam } from '../../../contract/schemas.ts'
import { addressesMax, newAddress, withAddress } from './addresses.ts'
import { AddressCreate, Profile, personName } from './profile.ts'
import { changeProfile } from './write-profile.ts'

export const createProfileAddress = defineOperation({
  id: 'v1_create_profile_address',
  method: 'POST',
  path: '/v1/profiles/{profile_id}/addresses',
  auth: 'secret',
  scope: 'profiles:write',
  tag: 'Profiles',
  summary: 'Add an address to a profile',
  description:
    'The first address of each type becomes its default. A purchase that waits for a shipping address is decided again.',
  params: Closed({ profile_id: IdParam('The profile.', 'prof') }),
  body: AddressCreate,
  examples: {
    shipping: {
      summary: 'Add a default shipping address',
      body: {
        address_type: 'shipping',
        is_default: true,
        line1: '233 S Wacker Drive',
        city: 'Chicago',
        state: 'IL',
        postal_code: '60606',
        country: 'US',
      },
    },
  },
  responses: { 201: Profile },
  problems: ['not_found', 'profile_archived', 'object_limit_reached'],
  async handle(ctx, { path, body }) {
    const profile = await changeProfile(ctx, path.profile_id, 'profile.updated', (row) => {
      if (row.status === 'archived') throw new Problem('profile_archived')
      if (row.addresses.length >= addressesMax) throw new Problem('object_limit_reached')
      const address = newAddress(ctx, body, { recipientName: personName(row), loc: ['body'] })
      return { addresses: withAddress(row.addresses, address) }
    })
    return reply(201, profile)
  },
})
