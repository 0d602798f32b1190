import { defineEvent, type TypesOf } from '../../../contract/event.ts'
import type { ApiKey } from './api-key.ts'
import type { ZonedAccount } from './set-account-timezone.ts'

const keyEvent = defineEvent<ApiKey>()
const accountEvent = defineEvent<{ id: string; object: 'account'; name: string; created_at: string }>()
const zoneEvent = defineEvent<ZonedAccount>()
const agentEvent = defineEvent<{
  id: string
  object: 'agent'
  mode: string
  name: string
  joined_into: string
}>()

/** What can happen to an account, to its agents and to their keys. */
export const accountEvents = {
  'account.created': accountEvent({ summary: 'An account was created.' }),
  'account.renamed': accountEvent({ summary: 'An account has another name.' }),
  'account.timezone_set': zoneEvent({ summary: 'An account has another time zone.' }),
  'api_key.created': keyEvent({ summary: 'An API key was issued.' }),
  'api_key.joined': keyEvent({ summary: 'An API key belongs to another agent.' }),
  'api_key.revoked': keyEvent({ summary: 'An API key was revoked.' }),
  'api_key.rolled': keyEvent({ summary: 'Another API key takes the place of this one.' }),
  'api_key.updated': keyEvent({ summary: 'A publishable key works in other pages, or for other things.' }),
  'agent.joined': agentEvent({ summary: 'An agent was joined to another one.' }),
}

declare module '../../../contract/event.ts' {
  interface Events extends TypesOf<typeof accountEvents> {}
}
