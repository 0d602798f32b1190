import { bind } from '../../../contract/port.ts'
import { defineScopes, type ScopeFacts } from '../../../contract/scopes.ts'
import { part } from '../../../platform/database/combine-reads.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { AgentsByKey } from '../controls/public.ts'
import { selectAgentOfIds } from './api-keys.sql.ts'
import { accountEvents } from './events.ts'
import { agentMeant } from './live-keys.ts'
import { problems } from './problems.ts'

/** What keys may be allowed here. */
const scopes = defineScopes({
  'keys:write': { toolsets: ['admin'] },
  // Of what is still to come, so that keys that are made today have them by then.
  'chats:read': { presets: ['buyer_agent'], toolsets: ['buyer'], isReserved: true },
  'chats:write': { presets: ['buyer_agent'], toolsets: ['buyer'], isReserved: true },
})

declare module '../../../contract/scopes.ts' {
  interface Scopes extends Record<keyof typeof scopes, ScopeFacts> {}
}

export const apiKeys = defineSlice({
  name: 'accounts/api-keys',
  about: 'Issues and revokes API keys, and knows which agent each key belongs to.',
  needs: ['accounts/controls', 'buyers/profiles'],
  tables: ['accounts', 'agents', 'api_keys'],
  scopes,
  problems,
  events: accountEvents,
  ownIds: part(selectAgentOfIds, []),
  binds: [bind(AgentsByKey, agentMeant)],
})
