import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'
import { defineScopes, type ScopeFacts } from '../../../contract/scopes.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { controlEvents } from './events.ts'
import { controlOperations } from './operations.ts'
import { AgentsByKey, InFlight } from './port.ts'

/** What keys may be allowed here. */
const scopes = defineScopes({
  'controls:write': { roles: ['approver', 'support'], toolsets: ['admin'] },
})

declare module '../../../contract/scopes.ts' {
  interface Scopes extends Record<keyof typeof scopes, ScopeFacts> {}
}

/** What is refused here, beyond what every operation may refuse. */
const problems = defineProblems({
  frozen: {
    status: 409,
    retryable: false,
    message:
      'Purchases are frozen for this account, profile or agent, so nothing is bought. Only a person may end that, with v1_unfreeze_controls: tell them, and do not try again before.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}

export const controls = defineSlice({
  name: 'accounts/controls',
  about: 'Freezes and unfreezes purchases of an account, a profile or an agent.',
  needs: ['buyers/profiles'],
  tables: ['controls'],
  scopes,
  problems,
  events: controlEvents,
  operations: (_events, ports) =>
    controlOperations({ agentMeant: ports.get(AgentsByKey), callsInFlight: ports.get(InFlight) }),
})
