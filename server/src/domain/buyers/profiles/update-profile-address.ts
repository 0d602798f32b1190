import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdParam } from '../../../contract/schemas.ts'
import { withChanged } from './addresses.ts'
import { AddressUpdate, Profile } from './profile.ts'
import { changeProfile } from './write-profile.ts'

export const updateProfileAddress = defineOperation({
  id: 'v1_update_profile_address',
  method: 'POST',
  path: '/v1/profiles/{profile_id}/addresses/{address_id}',
  auth: 'secret',
  scope: 'profiles:write',
  tag: 'Profiles',
  summary: 'Update an address of a profile',
  description:
    'Fields you leave out stay as they are; null clears `line2`, `state` and `postal_code`. Purchases keep the address that they ' +
    'were created with; one that waits for a shipping address is decided again.',
  params: Closed({
    profile_id: IdParam('The profile.', 'prof'),
    address_id: IdParam('The address.', 'addr'),
  }),
  body: AddressUpdate,
  examples: { street: { summary: 'Change the street', body: { line1: '875 N Michigan Avenue' } } },
  responses: { 200: Profile },
  problems: ['not_found', 'profile_archived'],
  async handle(ctx, { path, body }) {
    const profile = await changeProfile(ctx, path.profile_id, 'profile.updated', (row) => {
      const addresses = withChanged(row.addresses, path.address_id, body)
      if (!addresses) throw new Problem('not_found', { param: 'address_id' })
      if (row.status === 'archived') throw new Problem('profile_archived')
      return Object.keys(body).length === 0 ? {} : { addresses }
    })
    return reply(200, profile)
  },
})
