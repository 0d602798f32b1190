import Type, { type Static } from 'typebox'
import type { ActingContext } from '../../../contract/context.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Changes, Closed, IdParam, Nullable } from '../../../contract/schemas.ts'
import { normalizePhone } from '../../../schema/formats.ts'
import { addressesMax, replacedBy } from './addresses.ts'
import { isoDateOfBirth, sealedAs } from './date-of-birth.ts'
import {
  AddressOfList,
  type DateOfBirth,
  lastNameOf,
  Profile,
  type ProfileFacts,
  ProfileFields,
  personName,
} from './profile.ts'
import { changeProfile } from './write-profile.ts'

const ProfileUpdate = Changes({
  ...ProfileFields,
  phone: Nullable(ProfileFields.phone),
  dob: Nullable(ProfileFields.dob),
  addresses: Type.Array(AddressOfList, {
    maxItems: addressesMax,
    description:
      'All addresses of the profile. Those with an `id` are changed, others are new; what is not listed is removed.',
  }),
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
    'Fields you leave out stay as they are; null clears `last_name`, `phone` and `dob`; `metadata` and `addresses` are ' +
    'replaced as a whole. Purchases keep the address that they were created with.',
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
  const { last_name, phone, dob, addresses, ...fields } = update
  const named = { ...fields, ...(last_name === undefined ? {} : { last_name: lastNameOf(last_name) }) }
  const recipientName = personName({ ...row, ...named })
  return {
    ...named,
    ...(phone === undefined ? {} : { phone: phone && (normalizePhone(phone) ?? row.phone) }),
    ...(dob === undefined ? {} : { dob_sealed: dob && sealed(ctx, row, dob) }),
    ...(addresses && { addresses: replacedBy(ctx, addresses, { before: row.addresses, recipientName }) }),
  }
}

function sealed(ctx: ActingContext, { id }: ProfileFacts, dob: DateOfBirth): Buffer {
  return ctx.sealer.seal(isoDateOfBirth(dob, ctx.now), sealedAs, id)
}
