import { defineScopes, type ScopeFacts } from '../../../contract/scopes.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { controlEvents } from './events.ts'
import { controlOperations } from './operations.ts'
import { AgentsByKey, InFlight } from './port.ts'
import { problems } from './problems.ts'

/** What keys may be allowed here. */
const scopes = defineScopes({
  'controls:write': { toolsets: ['admin'] },
})

declare module '../../../contract/scopes.ts' {
  interface Scopes extends Record<keyof typeof scopes, ScopeFacts> {}
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
