import Type from 'typebox'
import { agentOf } from '../../contract/actor.ts'
import { objectsPerAccountMax } from '../../contract/page.ts'
import { getOperation, listOperation } from '../../contract/read-operations.ts'
import { IdParam } from '../../contract/schemas.ts'
import { countPolicies, selectPolicies, selectPolicy } from './policies.sql.ts'
import { Policy, renderPolicy } from './policy.ts'

export const getPolicy = getOperation({
  id: 'v1_get_policy',
  path: '/v1/policies/{policy_id}',
  scope: 'policies:read',
  forBound: 'served',
  tag: 'Policies',
  summary: 'Read a policy',
  description: 'Shows its limits and rules, and how much of each limit is used in the current window.',
  params: { policy_id: IdParam('The policy.', 'pol') },
  shows: Policy,
  row: (key, _path, { profileId }) => selectPolicy({ ...key, profile_id: profileId }),
  render: (row, ctx) => renderPolicy(row, ctx.tenant, ctx.now),
})

export const listPolicies = listOperation({
  id: 'v1_list_policies',
  path: '/v1/policies',
  scope: 'policies:read',
  forBound: 'served',
  tag: 'Policies',
  summary: 'List policies, newest first',
  description:
    'Use it to see which spending limits apply before you buy. Archived policies are left out unless `include_archived` is ' +
    'true.',
  filters: {
    include_archived: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether archived policies are listed too.' }),
    ),
  },
  limits: [objectsPerAccountMax, objectsPerAccountMax],
  lists: [Policy, 'PolicyList'],
  more: ({ profileId, actor }) => ({
    profile_id: profileId,
    agent_id: agentOf(actor),
  }),
  rows: selectPolicies,
  count: countPolicies,
  render: (row, ctx) => renderPolicy(row, ctx.tenant, ctx.now),
})
