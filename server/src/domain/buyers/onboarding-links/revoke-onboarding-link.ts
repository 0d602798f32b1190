import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed } from '../../../contract/schemas.ts'
import { LinkParams, OnboardingLink, renderLink, statusAt } from './link.ts'
import { lockLink } from './links.sql.ts'
import { changeLink } from './write-link.ts'

export const revokeOnboardingLink = defineOperation({
  id: 'v1_revoke_onboarding_link',
  method: 'POST',
  path: '/v1/onboarding_links/{link_id}/revoke',
  auth: 'secret',
  scope: 'profiles:write',
  tag: 'Onboarding links',
  summary: 'Revoke an onboarding link',
  description:
    'The link no longer opens, and a form that is open is no longer accepted. Revoking it again changes nothing.',
  destructive: true,
  params: Closed(LinkParams),
  responses: { 200: OnboardingLink },
  problems: ['not_found', 'onboarding_link_used', 'onboarding_link_expired'],
  async handle(ctx, { path }) {
    const { accountId, mode } = ctx.tenant
    const row = await ctx.tx.maybe(lockLink({ account_id: accountId, mode, id: path.link_id }))
    if (!row) throw new Problem('not_found', { param: 'link_id' })
    const status = statusAt(row, ctx.now)
    if (status === 'revoked') return reply(200, renderLink(row, ctx.now))
    if (status === 'completed') throw new Problem('onboarding_link_used')
    if (status === 'expired') throw new Problem('onboarding_link_expired')
    const changes = { status: 'revoked', revoked_at: ctx.now, due_at: null } as const
    return reply(200, changeLink(ctx, row, changes, 'onboarding_link.revoked'))
  },
})
