import { bind } from '../../../contract/port.ts'
import { part } from '../../../platform/database/combine-reads.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { AgentsByKey } from '../controls/public.ts'
import { selectAgentOfIds } from './api-keys.sql.ts'
import { accountEvents } from './events.ts'
import { agentMeant } from './live-keys.ts'
import { problems } from './problems.ts'
import { scopes } from './scopes.ts'

export const apiKeys = defineSlice({
  name: 'accounts/api-keys',
  about: 'Issues and revokes API keys, and knows which agent each key belongs to.',
  needs: ['accounts/controls', 'buyers/profiles'],
  scopes,
  problems,
  events: accountEvents,
  ownIds: part(selectAgentOfIds, []),
  binds: [bind(AgentsByKey, agentMeant)],
})
