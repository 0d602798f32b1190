import { selectAgentOfIds } from './domain/accounts/api-keys/public.ts'
import { selectOwnPaymentMethods } from './domain/buyers/payment-methods/public.ts'
import { selectOwnIntents } from './domain/buying/intents/public.ts'
import { selectOwnPolicies, withoutOthersPolicy } from './domain/policies/public.ts'
import { selectOwnOrders } from './domain/trade/orders/public.ts'
import { selectOwnQuotes } from './domain/trade/quotes/public.ts'
import type { BoundAgents } from './platform/calls/bound-agent.ts'
import { combineReads, part } from './platform/database/combine-reads.ts'

/** Objects of a profile, and what else its agent may know of. A slice whose objects belong to profiles has its line here. */
const selectOwn = combineReads('select_ids_of_bound_agent', {
  paymentMethods: part(selectOwnPaymentMethods, []),
  intents: part(selectOwnIntents, []),
  orders: part(selectOwnOrders, []),
  quotes: part(selectOwnQuotes, []),
  policies: part(selectOwnPolicies, []),
  agents: part(selectAgentOfIds, []),
})

/** What an agent that is bound to one profile may know, slice by slice. */
export const boundAgents: BoundAgents = {
  async ownIds({ tenant, agentId, profileId }, ids, reads) {
    const of = { account_id: tenant.accountId, mode: tenant.mode, profile_id: profileId, agent_id: agentId }
    const found = selectOwn.read(await reads.rows(selectOwn({ ...of, ids: [...ids] })))
    const own = Object.values(found).flatMap((rows) => rows.map(({ id }) => id))
    return new Set([profileId, ...own])
  },
  narrowed: withoutOthersPolicy,
}
