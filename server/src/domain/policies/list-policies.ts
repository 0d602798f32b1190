import Type from 'typebox'
import { defineOperation, reply } from '../../contract/operation.ts'
import { objectsPerAccountMax, pageOf, readList, totalCap } from '../../contract/page.ts'
import { Closed, ListOf, Page } from '../../contract/schemas.ts'
import { countPolicies, selectPolicies } from './policies.sql.ts'
import { Policy, renderPolicy } from './policy.ts'

export const listPolicies = defineOperation({
  id: 'v1_list_policies',
  method: 'GET',
  path: '/v1/policies',
  auth: 'secret',
  scope: 'policies:read',
  forBound: 'served',
  tag: 'Policies',
  summary: 'List policies, newest first',
  description:
    'Use it to see which spending limits apply before you buy. Archived policies are left out unless `include_archived` is ' +
    'true.',
  query: Closed({
    include_archived: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether archived policies are listed too.' }),
    ),
    ...Page(objectsPerAccountMax, objectsPerAccountMax),
  }),
  responses: { 200: ListOf(Policy, 'PolicyList') },
  async handle(ctx, { query }) {
    const page = pageOf(query, objectsPerAccountMax)
    const { accountId, mode } = ctx.tenant
    const filter = {
      account_id: accountId,
      mode,
      include_archived: query.include_archived ?? false,
      profile_id: ctx.profileId,
      agent_id: ctx.actor.type === 'api_key' ? ctx.actor.id : null,
    }
    const list = await readList(ctx.reads, {
      page,
      rows: selectPolicies({ ...filter, ...page }),
      count: countPolicies({ ...filter, cap: totalCap }),
      render: (row) => renderPolicy(row, ctx.tenant, ctx.now),
    })
    return reply(200, list)
  },
})
