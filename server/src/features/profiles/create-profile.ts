import { defineOperation, reply } from '../../contract/operation.ts'
import { addProfile, ProfileCreate } from './add-profile.ts'
import { Profile } from './profile.ts'

export const createProfile = defineOperation({
  id: 'v1_create_profile',
  method: 'POST',
  path: '/v1/profiles',
  auth: 'secret',
  scope: 'profiles:write',
  tag: 'Profiles',
  summary: 'Create the profile of an end customer',
  description: 'Purchases are made for a profile: it is billed and shipped to. A new profile is `active`.',
  body: ProfileCreate,
  responses: { 201: Profile },
  async handle(ctx, { body }) {
    return reply(201, addProfile(ctx, ctx.newId('prof'), body))
  },
})
