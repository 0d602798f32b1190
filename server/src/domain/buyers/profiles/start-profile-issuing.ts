import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdParam } from '../../../contract/schemas.ts'
import { Profile, type ProfileRow } from './profile.ts'
import { changeProfile } from './write-profile.ts'

export const startProfileIssuing = defineOperation({
  id: 'v1_start_profile_issuing',
  method: 'POST',
  path: '/v1/profiles/{profile_id}/issuing',
  auth: 'secret',
  scope: 'profiles:write',
  tag: 'Profiles',
  summary: 'Start identity verification for a profile',
  description:
    'Issuing cards to a profile needs a date of birth, a phone number and a billing address; `issuing.requirements` lists ' +
    'what is missing. Test mode settles at once: enabled when nothing is missing. In live mode the operator of this ' +
    'installation decides, and until then it is refused.',
  params: Closed({ profile_id: IdParam('The profile.', 'prof') }),
  responses: { 200: Profile },
  problems: ['not_found', 'profile_not_active', 'issuing_not_available'],
  async handle(ctx, { path }) {
    const profile = await changeProfile(ctx, path.profile_id, 'profile.issuing_updated', (row) => {
      if (row.status !== 'active') throw new Problem('profile_not_active')
      if (row.issuing_state === 'enabled' || row.issuing_state === 'in_review') return {}
      if (row.issuing_state === 'rejected' || row.issuing_state === 'disabled')
        throw new Problem('issuing_not_available')
      // Nobody works through requests here: one that was taken would wait for ever.
      if (ctx.tenant.mode === 'live') throw new Problem('issuing_not_available', { message: onlyOperators })
      const requirements = missingForIssuing(row)
      if (requirements.length > 0)
        return { issuing_state: 'pending_requirements', issuing_requirements: requirements }
      return { issuing_state: 'enabled', issuing_requirements: [] }
    })
    return reply(200, profile)
  },
})

const onlyOperators =
  'Identity verification cannot be started in live mode: the operator of this installation decides it. Ask them about this profile.'

/** What has to be known of a person whose identity is verified. */
export function missingForIssuing(row: ProfileRow): string[] {
  const hasBilling = row.addresses.some((address) => address.address_type !== 'shipping')
  return [
    ...(row.dob_sealed ? [] : ['dob']),
    ...(row.phone ? [] : ['phone']),
    ...(hasBilling ? [] : ['billing_address']),
  ]
}
