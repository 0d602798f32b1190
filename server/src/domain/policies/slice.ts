import { defineIds } from '../../contract/ids.ts'
import { defineProblems, type ProblemFacts } from '../../contract/problem-codes.ts'
import { defineScopes, type ScopeFacts } from '../../contract/scopes.ts'
import { part } from '../../platform/database/combine-reads.ts'
import { defineSlice } from '../../platform/slices/slice.ts'
import { policyEvents } from './events.ts'
import { policyInvariants } from './invariants.sql.ts'
import { policyOperations } from './operations.ts'
import { selectOwnPolicies } from './policies.sql.ts'
import { PastIntents } from './port.ts'
import { sweepWindows } from './windows.sql.ts'
import { withoutOthersPolicy } from './without-others.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  pol: { names: 'a policy' },
})

declare module '../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

/** What keys may be allowed here. */
const scopes = defineScopes({
  'policies:read': { presets: ['buyer_agent'], toolsets: ['buyer', 'admin'] },
  'policies:write': { toolsets: ['admin'] },
})

declare module '../../contract/scopes.ts' {
  interface Scopes extends Record<keyof typeof scopes, ScopeFacts> {}
}

/** What is refused here, beyond what every operation may refuse. */
const problems = defineProblems({
  policy_archived: { status: 409, retryable: false, message: 'The policy is archived. Unarchive it first.' },
  policy_denied: {
    status: 409,
    retryable: false,
    message:
      'A policy denies this purchase: `policy_decision` says which rule. Tell a person, who can change the purchase or the policy. Do not try it again unchanged.',
  },
  policy_limit_exceeded: {
    status: 409,
    retryable: false,
    message:
      'A policy window has no room for this purchase: `policy_decision` says which limit. Nothing has changed. Tell a person, who can raise the limit, or try again when the window begins anew.',
  },
  agents_are_one: { status: 409, retryable: false, message: 'Both are the same agent.' },
  join_widens: {
    status: 409,
    retryable: false,
    message: 'Joined, the agents could do more than each could before.',
  },
})

declare module '../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}

export const policies = defineSlice({
  name: 'policies',
  about:
    'Decides whether a purchase may be made without a person, and counts what was spent under each policy.',
  needs: [
    'accounts/api-keys',
    'accounts/controls',
    'accounts/live-limits',
    'accounts/live-limits',
    'buyers/payment-methods',
    'buyers/profiles',
  ],
  tables: ['policies', 'policy_reservations', 'policy_versions', 'policy_windows'],
  ids,
  scopes,
  problems,
  tags: {
    Policies:
      'Reusable spending limits and rules, a simulation of what they decide, and the switch that freezes purchases.',
  },
  events: policyEvents,
  operations: (_events, ports) => policyOperations(ports.get(PastIntents)),
  invariants: policyInvariants,
  sweeps: [sweepWindows],
  ownIds: part(selectOwnPolicies, []),
  withoutOthers: withoutOthersPolicy,
})
