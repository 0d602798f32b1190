import { confirmRequest } from '../../contract/confirm-request.ts'
import { defineOperation, reply } from '../../contract/operation.ts'
import { Closed, IdParam } from '../../contract/schemas.ts'
import { Policy } from './policy.ts'
import { changePolicy, requireRoom } from './write-policy.ts'

export const unarchivePolicy = defineOperation({
  id: 'v1_unarchive_policy',
  method: 'POST',
  path: '/v1/policies/{policy_id}/unarchive',
  auth: 'secret',
  scope: 'policies:write',
  tag: 'Policies',
  summary: 'Unarchive a policy',
  description:
    'It applies again, and what was used of its limits before still counts. Purchases made while it was archived do not ' +
    'count. Unarchiving an active policy changes nothing.',
  params: Closed({ policy_id: IdParam('The policy.', 'pol') }),
  responses: { 200: Policy },
  problems: ['not_found', 'object_limit_reached'],
  confirms: confirmRequest('policy_unarchived'),
  async handle(ctx, { path }) {
    const policy = await changePolicy(ctx, path.policy_id, 'policy.unarchived', async (row) => {
      if (row.archived_at === null) return null
      await requireRoom(ctx)
      return { ...row, archived_at: null }
    })
    return reply(200, policy)
  },
})
