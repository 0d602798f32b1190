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
  summary: 'Create a profile',
  description:
    'A profile is the person or business you buy for: it is billed and shipped to. It starts `active`. Next, add a payment ' +
    'method with v1_create_profile_payment_method.',
  body: ProfileCreate,
  responses: { 201: Profile },
  async handle(ctx, { body }) {
    return reply(201, addProfile(ctx, ctx.newId('prof'), body))
  },
})
