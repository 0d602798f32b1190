import { bind } from '../../../contract/port.ts'
import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'
import { defineScopes, type ScopeFacts } from '../../../contract/scopes.ts'
import { part } from '../../../platform/database/combine-reads.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { AgentsByKey } from '../controls/public.ts'
import { selectAgentOfIds } from './api-keys.sql.ts'
import { accountEvents } from './events.ts'
import { agentMeant } from './live-keys.ts'

/** What keys may be allowed here. */
const scopes = defineScopes({
  'keys:write': { roles: ['developer'], toolsets: ['admin'] },
})

declare module '../../../contract/scopes.ts' {
  interface Scopes extends Record<keyof typeof scopes, ScopeFacts> {}
}

/** What is refused here, beyond what every operation may refuse. */
const problems = defineProblems({
  key_revoked: { status: 409, retryable: false, message: 'The key is revoked.' },
  key_expired: { status: 409, retryable: false, message: 'The key has expired.' },
  key_not_publishable: {
    status: 409,
    retryable: false,
    message: 'Origins and capabilities belong to publishable keys, and this is a secret key.',
  },
  scopes_exceed_agent: {
    status: 409,
    retryable: false,
    message: 'The key could do more than the other keys of its agent.',
  },
  agent_bound: {
    status: 409,
    retryable: false,
    message: 'The agent is bound to one profile, which never changes.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
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
