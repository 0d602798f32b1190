import type { CallContext } from '../../../contract/context.ts'
import { definePort } from '../../../contract/port.ts'
import type { Id } from '../../../core/id.ts'

/** What a freeze needs from slices above this one. */
type Reading = Pick<CallContext, 'tenant' | 'tx'>

/** The agent that the id of an agent, or of one of its keys, means; null where the tenant has neither. */
type AgentMeant = (ctx: Reading, id: string) => Promise<Id<'agent'> | null>
export const AgentsByKey = definePort<AgentMeant>('agents by key')

/**
 * External calls that may still take effect, of one profile, of one agent, or of all: a worker is making them, or their outcome is
 * unknown. Under the lock of the control row, this sees every call that was journaled before the freeze.
 */
export type CallsInFlight = (
  ctx: Reading,
  of: { profileId: string | null; agentId: string | null },
) => Promise<CallInFlight[]>
export const InFlight = definePort<CallsInFlight>('calls in flight')

export type CallInFlight = {
  cart_id: string
  purchase_intent_id: string
  step: string
  state: 'sent' | 'unknown'
  since: Date
}

export type FreezeReads = { agentMeant: AgentMeant; callsInFlight: CallsInFlight }
