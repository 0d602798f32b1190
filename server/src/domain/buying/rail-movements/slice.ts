import { defineSlice } from '../../../platform/slices/slice.ts'
import { PaymentRails } from '../rails/public.ts'
import { sweepMovements } from './movements.sql.ts'
import { feedWork, MovementCount } from './read-feed.ts'

export const railMovements = defineSlice({
  name: 'buying/rail-movements',
  about: 'Reads what rails report about credentials that strangers charge, and keeps it for their carts.',
  needs: ['buying/intents', 'buying/rails'],
  tables: ['followed_credentials', 'rail_feeds', 'rail_movements'],
  work: ({ ports }) => [feedWork(ports.get(PaymentRails), ports.get(MovementCount))],
  queues: [{ kind: 'rail_feeds', table: 'rail_feeds', mode: 'mode::text' }],
  sweeps: [sweepMovements],
})
