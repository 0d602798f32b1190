import { defineOperation, reply } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { Closed, IdParam } from '../../contract/schemas.ts'
import { selectPolicy } from './policies.sql.ts'
import { Policy, renderPolicy } from './policy.ts'

export const getPolicy = defineOperation({
  id: 'v1_get_policy',
  method: 'GET',
  path: '/v1/policies/{policy_id}',
  auth: 'secret',
  scope: 'policies:read',
  forBound: 'served',
  tag: 'Policies',
  summary: 'Read a policy',
  description: 'Shows its limits and rules, and how much of each limit is used in the current window.',
  params: Closed({ policy_id: IdParam('The policy.', 'pol') }),
  responses: { 200: Policy },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    const { accountId, mode } = ctx.tenant
    const row = await ctx.reads.maybe(selectPolicy({ account_id: accountId, mode, id: path.policy_id }))
    if (!row) throw new Problem('not_found', { param: 'policy_id' })
    return reply(200, renderPolicy(row, ctx.tenant, ctx.now))
  },
})
