import { defineOperation, reply } from '../../../contract/operation.ts'
import { pageOf, readList, totalCap } from '../../../contract/page.ts'
import { Closed, Filter, IdParam, ListOf, Page } from '../../../contract/schemas.ts'
import { OnboardingLink, OnboardingLinkStatus, renderLink } from './link.ts'
import { countLinks, selectLinks } from './links.sql.ts'

const limitDefault = 50

export const listOnboardingLinks = defineOperation({
  id: 'v1_list_onboarding_links',
  method: 'GET',
  path: '/v1/onboarding_links',
  auth: 'secret',
  scope: 'profiles:read',
  forBound: 'refused',
  tag: 'Onboarding links',
  summary: 'List onboarding links, newest first',
  description: 'Shows which links were opened, completed, revoked or have expired; never their `url`.',
  query: Closed({
    status: Filter(OnboardingLinkStatus, 'Only links in this status.'),
    profile_id: Filter(IdParam('A profile.', 'prof'), 'Only links for this profile.'),
    ...Page(limitDefault, 200),
  }),
  responses: { 200: ListOf(OnboardingLink, 'OnboardingLinkList') },
  async handle(ctx, { query }) {
    const page = pageOf(query, limitDefault)
    const filter = {
      account_id: ctx.tenant.accountId,
      mode: ctx.tenant.mode,
      status: query.status ?? null,
      profile_id: query.profile_id ?? null,
    }
    const list = await readList(ctx.reads, {
      page,
      rows: selectLinks({ ...filter, ...page }),
      count: countLinks({ ...filter, cap: totalCap }),
      render: (row) => renderLink(row, ctx.now),
    })
    return reply(200, list)
  },
})
