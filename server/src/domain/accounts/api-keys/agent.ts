import type { Scope } from '../../../contract/scopes.ts'
import type { Id } from '../../../core/id.ts'

/**
 * The party that keys belong to. Policies, freezes and the audit name the agent, so that a key which is rolled, or added, changes nothing
 * that was decided about it.
 */
export type AgentRow = {
  id: Id<'agent'>
  name: string
  /** The one customer that it acts for; null where it acts for all of them. Never changes. */
  profile_id: Id<'prof'> | null
  /** The agent that got its keys; this agent's id means that agent since then. */
  joined_into: Id<'agent'> | null
  seq: number
  created_at: Date
  updated_at: Date
}

export type KeyOfAgent = { id: Id<'key'>; scopes: Scope[]; is_live: boolean }
