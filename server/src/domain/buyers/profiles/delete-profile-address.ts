import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdParam } from '../../../contract/schemas.ts'
import { withoutAddress } from './addresses.ts'
import { Profile } from './profile.ts'
import { changeProfile } from './write-profile.ts'

export const deleteProfileAddress = defineOperation({
  id: 'v1_delete_profile_address',
  method: 'DELETE',
  path: '/v1/profiles/{profile_id}/addresses/{address_id}',
  auth: 'secret',
  scope: 'profiles:write',
  tag: 'Profiles',
  summary: 'Delete an address of a profile',
  description:
    'Purchases keep the address that they were created with. If it was a default, the oldest other address of its type ' +
    'becomes the default.',
  destructive: true,
  params: Closed({
    profile_id: IdParam('The profile.', 'prof'),
    address_id: IdParam('The address.', 'addr'),
  }),
  responses: { 200: Profile },
  problems: ['not_found', 'profile_archived'],
  async handle(ctx, { path }) {
    const profile = await changeProfile(ctx, path.profile_id, 'profile.updated', (row) => {
      const addresses = withoutAddress(row.addresses, path.address_id)
      if (!addresses) throw new Problem('not_found', { param: 'address_id' })
      if (row.status === 'archived') throw new Problem('profile_archived')
      return { addresses }
    })
    return reply(200, profile)
  },
})
