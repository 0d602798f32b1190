import { defineIds } from '../../../contract/ids.ts'
import { defineScopes, type ScopeFacts } from '../../../contract/scopes.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { registryEvents } from './events.ts'
import { getRegistryEntry } from './get-registry-entry.ts'
import { listRegistry } from './list-registry.ts'
import { sweepSiteLooks } from './site-looks.sql.ts'
import { createRegistryWork } from './work.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  reg: { names: 'an entry of the registry', isOpen: true },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

/** What keys may be allowed here. */
const scopes = defineScopes({
  'registry:read': {
    presets: ['merchant_backend', 'discovery', 'buyer_agent'],
    toolsets: ['buyer', 'discovery'],
  },
})

declare module '../../../contract/scopes.ts' {
  interface Scopes extends Record<keyof typeof scopes, ScopeFacts> {}
}

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
  tables: ['registry_entries', 'site_looks'],
  ids,
  scopes,
  tags: { Registry: 'Which merchants can be bought from, over which protocol, and how they are paid.' },
  events: registryEvents,
  operations: [listRegistry, getRegistryEntry],
  work: ({ egress }) => [createRegistryWork({ egress })],
  sweeps: [sweepSiteLooks],
  queues: [{ kind: 'registry_entries', table: 'registry_entries' }],
})
