import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdParam } from '../../../contract/schemas.ts'
import { Profile, renderProfile } from './profile.ts'
import { selectProfile } from './profiles.sql.ts'

export const getProfile = defineOperation({
  id: 'v1_get_profile',
  method: 'GET',
  path: '/v1/profiles/{profile_id}',
  auth: 'secret',
  scope: 'profiles:read',
  forBound: 'served',
  tag: 'Profiles',
  summary: 'Read a profile',
  description: 'Shows its addresses, its status, and what identity verification still needs.',
  params: Closed({ profile_id: IdParam('The profile.', 'prof') }),
  responses: { 200: Profile },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    const { accountId, mode } = ctx.tenant
    const row = await ctx.reads.maybe(selectProfile({ account_id: accountId, mode, id: path.profile_id }))
    if (!row) throw new Problem('not_found', { param: 'profile_id' })
    return reply(200, renderProfile(row, ctx.tenant))
  },
})
