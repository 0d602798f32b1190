import Type from 'typebox'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { containsPattern, instantOf, pageOf, readList, totalCap } from '../../../contract/page.ts'
import { At, Closed, CountryCode, Filter, ListOf, Page, Search } from '../../../contract/schemas.ts'
import { Profile, ProfileIssuingState, ProfileStatus, ProfileType, renderProfile } from './profile.ts'
import { countProfiles, selectProfiles } from './profiles.sql.ts'

const limitDefault = 50

export const listProfiles = defineOperation({
  id: 'v1_list_profiles',
  method: 'GET',
  path: '/v1/profiles',
  auth: 'secret',
  scope: 'profiles:read',
  forBound: 'served',
  tag: 'Profiles',
  summary: 'List profiles, newest first',
  description:
    'Use it to find the person or business to buy for. The `id` of one is the `profile_id` of other calls.',
  query: Closed({
    status: Filter(ProfileStatus, 'Only profiles in this status.'),
    issuing: Filter(ProfileIssuingState, 'Only profiles whose identity verification is in this state.'),
    profile_type: Filter(ProfileType, 'Only consumers or only businesses.'),
    country: Filter(CountryCode, 'Only profiles of this country.'),
    created_after: Type.Optional(At('Only profiles created after this moment.')),
    created_before: Type.Optional(At('Only profiles created before this moment.')),
    q: Type.Optional(Search),
    ...Page(limitDefault, 200),
  }),
  responses: { 200: ListOf(Profile, 'ProfileList') },
  async handle(ctx, { query }) {
    const page = pageOf(query, limitDefault)
    const filter = {
      account_id: ctx.tenant.accountId,
      mode: ctx.tenant.mode,
      status: query.status ?? null,
      issuing: query.issuing ?? null,
      profile_type: query.profile_type ?? null,
      country: query.country ?? null,
      created_after: instantOf(query.created_after),
      created_before: instantOf(query.created_before),
      q: containsPattern(query.q),
      id: ctx.profileId,
    }
    const list = await readList(ctx.reads, {
      page,
      rows: selectProfiles({ ...filter, ...page }),
      count: countProfiles({ ...filter, cap: totalCap }),
      render: (row) => renderProfile(row, ctx.tenant),
    })
    return reply(200, list)
  },
})
