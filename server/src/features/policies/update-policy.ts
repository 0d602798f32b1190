import { defineOperation, reply } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { Changes, Closed, IdParam } from '../../contract/schemas.ts'
import { Policy, PolicyFields } from './policy.ts'
import { changePolicy, withAgents, withWritten } from './write-policy.ts'

export const updatePolicy = defineOperation({
  id: 'v1_update_policy',
  method: 'POST',
  path: '/v1/policies/{policy_id}',
  auth: 'secret',
  scope: 'policies:write',
  tag: 'Policies',
  summary: 'Change a policy',
  description:
    'Makes a new version. A field that is sent replaces the whole one, null takes it away, fields left out stay. What is used of the ' +
    'windows stays too; what an earlier version allowed is not taken back. The currency never changes once it is set.',
  params: Closed({ policy_id: IdParam('The policy.') }),
  body: Changes(PolicyFields),
  responses: { 200: Policy },
  problems: ['not_found', 'policy_archived'],
  async handle(ctx, { path, body }) {
    const policy = await changePolicy(ctx, path.policy_id, 'policy.updated', async (row) => {
      if (row.archived_at !== null) throw new Problem('policy_archived')
      if (Object.keys(body).length === 0) return null
      const written = withWritten(row, body)
      const changed = body.scope ? await withAgents(ctx, written) : written
      return { ...changed, version: row.version + 1 }
    })
    return reply(200, policy)
  },
})
