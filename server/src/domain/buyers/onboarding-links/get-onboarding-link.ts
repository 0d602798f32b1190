import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed } from '../../../contract/schemas.ts'
import { LinkParams, OnboardingLink, renderLink } from './link.ts'
import { selectLink } from './links.sql.ts'

export const getOnboardingLink = defineOperation({
  id: 'v1_get_onboarding_link',
  method: 'GET',
  path: '/v1/onboarding_links/{link_id}',
  auth: 'secret',
  scope: 'profiles:read',
  forBound: 'refused',
  tag: 'Onboarding links',
  summary: 'Read an onboarding link',
  description: 'Shows its state, but not its `url`, which only v1_create_onboarding_link shows.',
  params: Closed(LinkParams),
  responses: { 200: OnboardingLink },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    const { accountId, mode } = ctx.tenant
    const row = await ctx.reads.maybe(selectLink({ account_id: accountId, mode, id: path.link_id }))
    if (!row) throw new Problem('not_found', { param: 'link_id' })
    return reply(200, renderLink(row, ctx.now))
  },
})
