import { defineSlice } from '../../../platform/slices/slice.ts'
import { destinationEvents } from './events.ts'
import { followDeliveries } from './follow-deliveries.ts'
import { ids } from './ids.ts'
import { destinationInvariants } from './invariants.sql.ts'
import { destinationOperations } from './operations.ts'
import { problems } from './problems.ts'
import { scopes } from './scopes.ts'
import { FailedRequests } from './settle-attempts.ts'
import { sweepDeliveries } from './sweep-deliveries.ts'
import { sweepSecrets } from './sweep-secrets.ts'
import { createDeliveryWork } from './work.ts'

export const destinations = defineSlice({
  name: 'webhooks/destinations',
  about: 'Sends events to subscribers by signed webhooks, and takes their signed answers.',
  needs: [],
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
