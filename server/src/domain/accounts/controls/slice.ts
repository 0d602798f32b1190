import { defineSlice } from '../../../platform/slices/slice.ts'
import { controlEvents } from './events.ts'
import { controlOperations } from './operations.ts'
import { AgentsByKey, InFlight } from './port.ts'
import { problems } from './problems.ts'
import { scopes } from './scopes.ts'

export const controls = defineSlice({
  name: 'accounts/controls',
  about: 'Freezes and unfreezes purchases of an account, a profile or an agent.',
  needs: ['buyers/profiles'],
  scopes,
  problems,
  events: controlEvents,
  operations: (_events, ports) =>
    controlOperations({ agentMeant: ports.get(AgentsByKey), callsInFlight: ports.get(InFlight) }),
})
