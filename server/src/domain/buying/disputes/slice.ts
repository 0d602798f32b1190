import { defineSlice } from '../../../platform/slices/slice.ts'
import { PaymentRails } from '../rails/public.ts'
import { sweepEvents } from './feed.sql.ts'
import { beginWithCaptures, eventFeedWork } from './read-events.ts'
import { disputeWork } from './run-dispute.ts'

export const disputes = defineSlice({
  name: 'buying/disputes',
  about:
    'Follows what holders of cards dispute at their banks: shows it at the orders, and moves what the merchants were paid.',
  needs: ['buying/execution', 'buying/rails', 'trade/orders'],
  tables: ['disputes', 'rail_event_feeds', 'rail_events'],
  work: ({ ports }) => [eventFeedWork(ports.get(PaymentRails)), disputeWork(ports.get(PaymentRails))],
  queues: [
    { kind: 'disputes', table: 'disputes', mode: 'mode::text', of: 'order_id' },
    { kind: 'rail_event_feeds', table: 'rail_event_feeds', mode: 'mode::text' },
  ],
  followers: [beginWithCaptures],
  sweeps: [sweepEvents],
})
