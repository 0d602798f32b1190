import { bind } from '../../../contract/port.ts'
import { part } from '../../../platform/database/combine-reads.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { AgentsByKey } from '../controls/public.ts'
import { selectAgentOfIds } from './api-keys.sql.ts'
import { accountEvents } from './events.ts'
import { ids } from './ids.ts'
import { agentMeant } from './live-keys.ts'

export const apiKeys = defineSlice({
  name: 'accounts/api-keys',
  needs: ['accounts/controls', 'buyers/profiles'],
  ids,
  events: accountEvents,
  ownIds: part(selectAgentOfIds, []),
  binds: [bind(AgentsByKey, agentMeant)],
})
