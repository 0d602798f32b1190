import { part } from '../../platform/database/combine-reads.ts'
import { defineSlice } from '../../platform/slices/slice.ts'
import { policyEvents } from './events.ts'
import { ids } from './ids.ts'
import { policyInvariants } from './invariants.ts'
import { policyOperations } from './operations.ts'
import { selectOwnPolicies } from './policies.sql.ts'
import { PastIntents } from './port.ts'
import { withoutOthersPolicy } from './without-others.ts'

export const policies = defineSlice({
  name: 'policies',
  needs: ['accounts/api-keys', 'accounts/controls', 'buyers/profiles'],
  ids,
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
