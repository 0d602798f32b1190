import { getOperation, listOperation } from '../../../contract/read-operations.ts'
import { Filter, IdParam } from '../../../contract/schemas.ts'
import { LinkParams, OnboardingLink, OnboardingLinkStatus, renderLink } from './link.ts'
import { countLinks, selectLink, selectLinks } from './links.sql.ts'

export const getOnboardingLink = getOperation({
  id: 'v1_get_onboarding_link',
  path: '/v1/onboarding_links/{link_id}',
  scope: 'profiles:read',
  forBound: 'refused',
  tag: 'Onboarding links',
  summary: 'Read an onboarding link',
  description: 'Shows its state, but not its `url`, which only v1_create_onboarding_link shows.',
  params: LinkParams,
  shows: OnboardingLink,
  row: selectLink,
  render: (row, ctx) => renderLink(row, ctx.now),
})

export const listOnboardingLinks = listOperation({
  id: 'v1_list_onboarding_links',
  path: '/v1/onboarding_links',
  scope: 'profiles:read',
  forBound: 'refused',
  tag: 'Onboarding links',
  summary: 'List onboarding links, newest first',
  description: 'Shows which links were opened, completed, revoked or have expired; never their `url`.',
  filters: {
    status: Filter(OnboardingLinkStatus, 'Only links in this status.'),
    profile_id: Filter(IdParam('A profile.', 'prof'), 'Only links for this profile.'),
  },
  lists: [OnboardingLink, 'OnboardingLinkList'],
  rows: selectLinks,
  count: countLinks,
  render: (row, ctx) => renderLink(row, ctx.now),
})
