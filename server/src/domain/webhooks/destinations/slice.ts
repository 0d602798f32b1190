import { defineIds } from '../../../contract/ids.ts'
import { defineScopes, type ScopeFacts } from '../../../contract/scopes.ts'
import type { Id } from '../../../core/id.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { destinationEvents } from './events.ts'
import { followDeliveries } from './follow-deliveries.ts'
import { destinationInvariants } from './invariants.sql.ts'
import { destinationOperations } from './operations.ts'
import { problems } from './problems.ts'
import { FailedRequests } from './settle-attempts.ts'
import { sweepDeliveries } from './sweep-deliveries.sql.ts'
import { sweepSecrets } from './sweep-secrets.sql.ts'
import { createDeliveryWork } from './work.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  dest: { names: 'a destination' },
  dlv: { names: 'a delivery' },
})

declare module '../../../contract/context.ts' {
  interface Actors {
    destination: Id<'dest'>
  }
}

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

/** What keys may be allowed here. */
const scopes = defineScopes({
  'event_destinations:read': { roles: ['merchant'], toolsets: ['admin'], isOfAccount: true },
  'event_destinations:write': {
    roles: ['developer', 'merchant'],
    toolsets: ['admin'],
    isOfAccount: true,
  },
})

declare module '../../../contract/scopes.ts' {
  interface Scopes extends Record<keyof typeof scopes, ScopeFacts> {}
}

export const destinations = defineSlice({
  name: 'webhooks/destinations',
  about: 'Sends events to subscribers by signed webhooks, and takes their signed answers.',
  needs: [],
  tables: [
    'deliveries',
    'delivery_attempts',
    'destination_hosts',
    'destination_secrets',
    'destination_subscriptions',
    'destinations',
    'due_deliveries',
    'webhook_destinations',
  ],
  ids,
  scopes,
  problems,
  tags: {
    'Merchant destinations':
      "The merchant's webhook endpoints, their secrets, and what was delivered to them.",
    'Event destinations': "The account's webhook endpoints for its own purchases, orders and quotes.",
  },
  events: destinationEvents,
  operations: destinationOperations,
  work: ({ events, egress, wallNow, ports }) => [
    createDeliveryWork({ events, egress, wallNow, onFailed: ports.get(FailedRequests) }),
  ],
  queues: [{ kind: 'deliveries', table: 'due_deliveries', of: 'aggregate_id' }],
  followers: (events) => [followDeliveries(events)],
  sweeps: [sweepDeliveries, sweepSecrets],
  invariants: destinationInvariants,
})
