import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdParam } from '../../../contract/schemas.ts'
import { takeDiscoveryRate } from '../listings/public.ts'
import { selectRegistryRow } from './read-registry.sql.ts'
import { renderEntries, viewerOf } from './read-registry.ts'
import { RegistryEntry } from './registry-entry.ts'

export const getRegistryEntry = defineOperation({
  id: 'v1_get_registry_entry',
  method: 'GET',
  path: '/v1/registry/{entry_id}',
  auth: 'optional',
  scope: 'registry:read',
  reads: 'short',
  forBound: 'served',
  tag: 'Registry',
  summary: 'Read an entry of the registry',
  description:
    'Shows the endpoints of a merchant, how each way of paying is known, and some of what it sells. Prices are in minor units (1999 is ' +
    '$19.99). Next, buy the `url` of an item with v1_create_purchase_intent.',
  params: Closed({ entry_id: IdParam('The id of the entry.', 'reg') }),
  responses: { 200: RegistryEntry },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    await takeDiscoveryRate(ctx)
    const row = await ctx.reads.maybe(selectRegistryRow({ ...viewerOf(ctx), id: path.entry_id }))
    if (!row) throw new Problem('not_found', { param: 'entry_id' })
    const [entry] = await renderEntries(ctx, [row])
    if (!entry) throw new Error('an entry that was read is not shown')
    return reply(200, entry)
  },
})
