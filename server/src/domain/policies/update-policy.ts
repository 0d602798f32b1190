import { confirmRequest } from '../../contract/confirm-request.ts'
import { defineOperation, reply } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { Changes, Closed, IdParam } from '../../contract/schemas.ts'
import { Ruled } from '../../schema/rules.ts'
import { lockAccount } from '../accounts/api-keys/public.ts'
import { Policy, PolicyFields, policyRules } from './policy.ts'
import { changePolicy, sameCurrency, withAgents, withWritten, withZone } from './write-policy.ts'

export const updatePolicy = defineOperation({
  id: 'v1_update_policy',
  method: 'POST',
  path: '/v1/policies/{policy_id}',
  auth: 'secret',
  // guard agents-change-no-policy: an agent does not widen its own limits
  scope: 'policies:write',
  tag: 'Policies',
  summary: 'Update a policy',
  description:
    'Makes a new version. A field you send replaces that field as a whole, null removes it, and fields you leave out stay. ' +
    'What was used of its limits still counts, and what an earlier version allowed stays allowed. The currency cannot ' +
    'change once it is set. After a change of the time zone, each running period ends when it would have ended. ' +
    'A standing budget that is changed here is no longer one that somebody approved.',
  params: Closed({ policy_id: IdParam('The policy.', 'pol') }),
  body: Ruled(Changes(PolicyFields), { ...policyRules, sameCurrency }),
  examples: {
    raise_limit: {
      summary: 'Raise the limit of one purchase to $80.00',
      body: { currency: 'USD', limits: { per_transaction_max: 8000 } },
    },
  },
  responses: { 200: Policy },
  problems: ['not_found', 'policy_archived'],
  confirms: confirmRequest('policy_changed'),
  async handle(ctx, { path, body }) {
    // The account's zone stays what it is until this policy has taken it.
    if (body.timezone !== undefined) await lockAccount(ctx)
    const policy = await changePolicy(ctx, path.policy_id, 'policy.updated', async (row) => {
      if (row.archived_at !== null) throw new Problem('policy_archived')
      if (Object.keys(body).length === 0) return null
      const written = withWritten(row, body)
      const scoped = body.scope ? await withAgents(ctx, written) : written
      const changed = body.timezone === undefined ? scoped : await withZone(ctx, scoped)
      // guard budget-as-it-was-approved: what a key changed was approved by nobody
      return { ...changed, approved_by: null, version: row.version + 1 }
    })
    return reply(200, policy)
  },
})
