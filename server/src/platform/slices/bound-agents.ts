import type { BoundAgents } from '../calls/bound-agent.ts'
import { combineReads } from '../database/combine-reads.ts'
import type { OwnIds, Product } from './slice.ts'

/** What an agent that is bound to one profile may see, as the slices declare it, with one statement for all of them. */
export function boundAgentsOf({ slices, ids: prefixes }: Pick<Product, 'slices' | 'ids'>): BoundAgents {
  const parts: Record<string, OwnIds> = Object.fromEntries(
    slices.flatMap(({ name, ownIds }) => (ownIds ? [[name, ownIds]] : [])),
  )
  const selectOwn = combineReads('select_ids_of_bound_agent', parts)
  const narrowings = slices.flatMap(({ withoutOthers }) => withoutOthers ?? [])
  return {
    ids: prefixes,
    async ownIds({ tenant, agentId, profileId }, ids, reads) {
      const of = { account_id: tenant.accountId, mode: tenant.mode, profile_id: profileId, agent_id: agentId }
      const found = selectOwn.read(await reads.rows(selectOwn({ ...of, ids: [...ids] })))
      const own = Object.values(found).flatMap((rows) => rows.map(({ id }) => id))
      return new Set([profileId, ...own])
    },
    narrowed: (body, agent) => narrowings.reduce((shown, narrow) => narrow(shown, agent), body),
  }
}
