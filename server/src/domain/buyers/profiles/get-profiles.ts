import Type from 'typebox'
import type { CallContext } from '../../../contract/context.ts'
import { getOperation, listOperation } from '../../../contract/read-operations.ts'
import { At, CountryCode, Filter, IdParam, Search } from '../../../contract/schemas.ts'
import { Profile, ProfileIssuingState, ProfileStatus, ProfileType, renderProfile } from './profile.ts'
import { countProfiles, selectProfile, selectProfiles } from './profiles.sql.ts'

export const getProfile = getOperation({
  id: 'v1_get_profile',
  path: '/v1/profiles/{profile_id}',
  scope: 'profiles:read',
  forBound: 'served',
  tag: 'Profiles',
  summary: 'Read a profile',
  description: 'Shows its addresses, its status, and what identity verification still needs.',
  params: { profile_id: IdParam('The profile.', 'prof') },
  shows: Profile,
  row: selectProfile,
  render: (row, ctx) => renderProfile(row, ctx.tenant),
})

export const listProfiles = listOperation({
  id: 'v1_list_profiles',
  path: '/v1/profiles',
  scope: 'profiles:read',
  forBound: 'served',
  tag: 'Profiles',
  summary: 'List profiles, newest first',
  description:
    'Use it to find the person or business to buy for. The `id` of one is the `profile_id` of other calls.',
  filters: {
    status: Filter(ProfileStatus, 'Only profiles in this status.'),
    issuing: Filter(ProfileIssuingState, 'Only profiles whose identity verification is in this state.'),
    profile_type: Filter(ProfileType, 'Only consumers or only businesses.'),
    country: Filter(CountryCode, 'Only profiles of this country.'),
    created_after: Type.Optional(At('Only profiles created after this moment.')),
    created_before: Type.Optional(At('Only profiles created before this moment.')),
    q: Type.Optional(Search),
  },
  lists: [Profile, 'ProfileList'],
  more: ({ profileId }: CallContext) => ({ id: profileId }),
  rows: selectProfiles,
  count: countProfiles,
  render: (row, ctx) => renderProfile(row, ctx.tenant),
})
