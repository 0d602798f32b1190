import Type from 'typebox'
import { normalizePhone } from '../../contract/formats.ts'
import { defineOperation, reply } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { Closed, IdParam } from '../../contract/schemas.ts'
import { isoDateOfBirth } from './date-of-birth.ts'
import { Profile, ProfileFields } from './profile.ts'
import { changeProfile } from './write-profile.ts'

export const updateProfile = defineOperation({
  id: 'v1_update_profile',
  method: 'POST',
  path: '/v1/profiles/{profile_id}',
  auth: 'secret',
  scope: 'profiles:write',
  tag: 'Profiles',
  summary: 'Change a profile',
  description: 'Fields left out stay as they are; `metadata` is replaced as a whole.',
  params: Closed({ profile_id: IdParam('The profile.') }),
  body: Type.Partial(Closed(ProfileFields), { additionalProperties: false }),
  responses: { 200: Profile },
  problems: ['not_found', 'profile_archived'],
  async handle(ctx, { path, body }) {
    const profile = await changeProfile(ctx, path.profile_id, 'profile.updated', (row) => {
      if (row.status === 'archived') throw new Problem('profile_archived')
      const { phone, dob, ...fields } = body
      return {
        ...fields,
        ...(phone === undefined ? {} : { phone: normalizePhone(phone) ?? row.phone }),
        ...(dob ? { dob_sealed: ctx.sealer.seal(isoDateOfBirth(dob, ctx.now), 'profile.dob', row.id) } : {}),
      }
    })
    return reply(200, profile)
  },
})
