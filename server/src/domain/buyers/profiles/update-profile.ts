import type { Static } from 'typebox'
import type { ActingContext } from '../../../contract/context.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Changes, Closed, IdParam, Nullable } from '../../../contract/schemas.ts'
import { normalizePhone } from '../../../schema/formats.ts'
import { isoDateOfBirth, sealedAs } from './date-of-birth.ts'
import { type DateOfBirth, Profile, type ProfileFacts, ProfileFields } from './profile.ts'
import { changeProfile } from './write-profile.ts'

const ProfileUpdate = Changes({
  ...ProfileFields,
  phone: Nullable(ProfileFields.phone),
  dob: Nullable(ProfileFields.dob),
})

export const updateProfile = defineOperation({
  id: 'v1_update_profile',
  method: 'POST',
  path: '/v1/profiles/{profile_id}',
  auth: 'secret',
  scope: 'profiles:write',
  tag: 'Profiles',
  summary: 'Update a profile',
  description:
    'Fields you leave out stay as they are; null clears `phone` and `dob`; `metadata` is replaced as a whole.',
  params: Closed({ profile_id: IdParam('The profile.', 'prof') }),
  body: ProfileUpdate,
  examples: { email: { summary: 'Change the e-mail address', body: { email: 'ada.lovelace@example.com' } } },
  responses: { 200: Profile },
  problems: ['not_found', 'profile_archived'],
  async handle(ctx, { path, body }) {
    const profile = await changeProfile(ctx, path.profile_id, 'profile.updated', (row) =>
      changedFields(ctx, row, body),
    )
    return reply(200, profile)
  },
})

/** The result of an update: a refusal, the 422 of an impossible date of birth, or the new values. */
export function changedFields(
  ctx: ActingContext,
  row: ProfileFacts,
  update: Static<typeof ProfileUpdate>,
): Partial<ProfileFacts> {
  if (row.status === 'archived') throw new Problem('profile_archived')
  const { phone, dob, ...fields } = update
  return {
    ...fields,
    ...(phone === undefined ? {} : { phone: phone && (normalizePhone(phone) ?? row.phone) }),
    ...(dob === undefined ? {} : { dob_sealed: dob && sealed(ctx, row, dob) }),
  }
}

function sealed(ctx: ActingContext, { id }: ProfileFacts, dob: DateOfBirth): Buffer {
  return ctx.sealer.seal(isoDateOfBirth(dob, ctx.now), sealedAs, id)
}
