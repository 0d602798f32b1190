import { confirmRequest } from '../../contract/confirm-request.ts'
import { exampleId } from '../../contract/examples.ts'
import { defineOperation, reply } from '../../contract/operation.ts'
import { Policy, PolicyCreate } from './policy.ts'
import { addPolicy, newPolicy, requireRoom, withAgents, withZone } from './write-policy.ts'

export const createPolicy = defineOperation({
  id: 'v1_create_policy',
  method: 'POST',
  path: '/v1/policies',
  auth: 'secret',
  scope: 'policies:write',
  tag: 'Policies',
  summary: 'Create a policy',
  description:
    'A policy is a reusable set of spending limits and rules. Every policy whose scope matches a purchase applies to it, ' +
    'and the strictest wins. Without a scope, a policy applies to every purchase of the account. Purchases made before it ' +
    'was created do not count toward its limits.',
  body: PolicyCreate,
  examples: {
    weekly_budget: {
      summary: 'Allow $50.00 a purchase and $200.00 a week without asking',
      body: {
        name: 'Office supplies',
        currency: 'USD',
        limits: { per_transaction_max: 5000, intervals: [{ interval: 'week', max_amount: 20000 }] },
        approval: { mode: 'never' },
      },
    },
    ask_above: {
      summary: 'Ask a person above $25.00, at certain shops only',
      body: {
        name: 'Snacks',
        currency: 'USD',
        scope: { profile_ids: [exampleId('prof')] },
        merchants: { allow: ['blue-mugs.example'] },
        approval: { mode: 'above_threshold', auto_approve_up_to: 2500 },
      },
    },
  },
  responses: { 201: Policy },
  problems: ['not_found', 'object_limit_reached'],
  confirms: confirmRequest('policy_created'),
  async handle(ctx, { body }) {
    const written = newPolicy(ctx, body)
    await requireRoom(ctx)
    const row = await withZone(ctx, await withAgents(ctx, written))
    return reply(201, addPolicy(ctx, row))
  },
})
