import Type from 'typebox'
import { defineOperation, reply } from '../../contract/operation.ts'
import { containsPattern, instantOf, pageOf, readList, totalCap } from '../../contract/page.ts'
import { Closed, CountryCode, Filter, ListOf, Page, Search, Timestamp } from '../../contract/schemas.ts'
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
    status: Filter(ProfileStatus, 'Profiles in this state.'),
    issuing: Filter(ProfileIssuingState, 'Profiles whose issuing is in this state.'),
    profile_type: Filter(ProfileType, 'Consumers or businesses.'),
    country: Filter(CountryCode, 'Profiles of this country.'),
    created_after: Type.Optional(Timestamp),
    created_before: Type.Optional(Timestamp),
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
