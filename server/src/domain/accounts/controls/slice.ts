import { defineSlice } from '../../../platform/slices/slice.ts'
import { controlEvents } from './events.ts'
import { controlOperations } from './operations.ts'
import { AgentsByKey, InFlight } from './port.ts'

export const controls = defineSlice({
  name: 'accounts/controls',
  needs: ['buyers/profiles'],
  events: controlEvents,
  operations: (_events, ports) =>
    controlOperations({ agentMeant: ports.get(AgentsByKey), callsInFlight: ports.get(InFlight) }),
})
