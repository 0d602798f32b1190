import { defineSlice } from '../../../platform/slices/slice.ts'
import { registryEvents } from './events.ts'
import { ids } from './ids.ts'
import { registryOperations } from './operations.ts'
import { scopes } from './scopes.ts'
import { sweepSiteLooks } from './sweep-site-looks.ts'
import { createRegistryWork } from './work.ts'

export const registry = defineSlice({
  name: 'discovery/registry',
  about:
    'Knows which merchants and sites can be bought from, over which protocol, and how that was found out.',
  needs: [
    'discovery/listings',
    'discovery/sources',
    'selling/catalog',
    'selling/merchant',
    'selling/mpp-apis',
  ],
  ids,
  scopes,
  tags: { Registry: 'Which merchants can be bought from, over which protocol, and how they are paid.' },
  events: registryEvents,
  operations: registryOperations,
  work: ({ egress }) => [createRegistryWork({ egress })],
  sweeps: [sweepSiteLooks],
  queues: [{ kind: 'registry_entries', table: 'registry_entries' }],
})
