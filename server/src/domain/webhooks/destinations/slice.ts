import { defineSlice } from '../../../platform/slices/slice.ts'
import { followDeliveries } from './follow-deliveries.ts'
import { destinationInvariants } from './invariants.sql.ts'
import { destinationOperations } from './operations.ts'
import { FailedRequests } from './settle-attempts.ts'
import { sweepDeliveries } from './sweep-deliveries.ts'
import { sweepSecrets } from './sweep-secrets.ts'
import { createDeliveryWork } from './work.ts'

export const destinations = defineSlice({
  name: 'webhooks/destinations',
  needs: [],
  operations: destinationOperations,
  work: ({ egress, wallNow, ports }) => [
    createDeliveryWork({ egress, wallNow, onFailed: ports.get(FailedRequests) }),
  ],
  queues: [{ kind: 'deliveries', table: 'deliveries', of: 'aggregate_id' }],
  followers: [followDeliveries],
  sweeps: [sweepDeliveries, sweepSecrets],
  invariants: destinationInvariants,
})
