import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed } from '../../../contract/schemas.ts'
import { next } from '../../../core/state-table.ts'
import { LinkParams, OnboardingLink, renderLink, statusAt } from './link.ts'
import { lockLink } from './links.sql.ts'
import { linkTable } from './machine.ts'
import { writeLink } from './write-link.ts'

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
    const before = statusAt(row, ctx.now)
    if (before === 'revoked') return reply(200, renderLink(row, ctx.now))
    const status = next(linkTable, before, 'revoke')
    if (status === null)
      throw new Problem(before === 'expired' ? 'onboarding_link_expired' : 'onboarding_link_used')
    const changes = { status, revoked_at: ctx.now, due_at: null }
    return reply(200, writeLink(ctx, row, changes, 'onboarding_link.revoked').object)
  },
})
