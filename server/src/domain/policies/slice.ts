import { part } from '../../platform/database/combine-reads.ts'
import { defineSlice } from '../../platform/slices/slice.ts'
import { policyEvents } from './events.ts'
import { ids } from './ids.ts'
import { policyInvariants } from './invariants.ts'
import { policyOperations } from './operations.ts'
import { selectOwnPolicies } from './policies.sql.ts'
import { PastIntents } from './port.ts'
import { problems } from './problems.ts'
import { scopes } from './scopes.ts'
import { withoutOthersPolicy } from './without-others.ts'

export const policies = defineSlice({
  name: 'policies',
  about:
    'Decides whether a purchase may be made without a person, and counts what was spent under each policy.',
  needs: ['accounts/api-keys', 'accounts/controls', 'buyers/profiles'],
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
  ownIds: part(selectOwnPolicies, []),
  withoutOthers: withoutOthersPolicy,
})
