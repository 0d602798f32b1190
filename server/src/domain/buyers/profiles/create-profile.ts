import { defineOperation, reply } from '../../../contract/operation.ts'
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
  examples: {
    person: {
      summary: 'Create a profile with an address',
      body: {
        first_name: 'Ada',
        last_name: 'Lovelace',
        email: 'ada@example.com',
        phone: '+13125550123',
        country: 'US',
        addresses: [
          {
            address_type: 'both',
            line1: '233 S Wacker Drive',
            city: 'Chicago',
            state: 'IL',
            postal_code: '60606',
            country: 'US',
          },
        ],
      },
    },
    smallest: {
      summary: 'Send only what is required',
      body: { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'US' },
    },
  },
  responses: { 201: Profile },
  async handle(ctx, { body }) {
    return reply(201, addProfile(ctx, ctx.newId('prof'), body))
  },
})
