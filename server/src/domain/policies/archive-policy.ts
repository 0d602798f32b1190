import { confirmRequest } from '../../contract/confirm-request.ts'
import { defineOperation, reply } from '../../contract/operation.ts'
import { Closed, IdParam } from '../../contract/schemas.ts'
import { Policy } from './policy.ts'
import { changePolicy } from './write-policy.ts'

export const archivePolicy = defineOperation({
  id: 'v1_archive_policy',
  method: 'POST',
  path: '/v1/policies/{policy_id}/archive',
  auth: 'secret',
  scope: 'policies:write',
  tag: 'Policies',
  summary: 'Archive a policy',
  description:
    'It no longer applies to any purchase: it neither allows nor restricts. Archiving it again changes nothing. ' +
    'v1_unarchive_policy brings it back.',
  destructive: true,
  params: Closed({ policy_id: IdParam('The policy.', 'pol') }),
  responses: { 200: Policy },
  problems: ['not_found'],
  confirms: confirmRequest('policy_archived'),
  async handle(ctx, { path }) {
    const policy = await changePolicy(ctx, path.policy_id, 'policy.archived', (row) =>
      row.archived_at === null ? { ...row, archived_at: ctx.now } : null,
    )
    return reply(200, policy)
  },
})
