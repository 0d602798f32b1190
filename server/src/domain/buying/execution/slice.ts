import { bind } from '../../../contract/port.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { InFlight } from '../../accounts/controls/public.ts'
import { PurchaseMeans } from './channels.ts'
import { callsInFlight } from './in-flight.ts'
import { executionInvariants } from './invariants.ts'
import { cartWork, followDecisions, intentWork, refundWork } from './work.ts'

export const execution = defineSlice({
  name: 'buying/execution',
  needs: [
    'accounts/controls',
    'buyers/payment-methods',
    'buyers/profiles',
    'buying/intents',
    'selling/catalog',
    'selling/markets',
    'selling/merchant',
    'selling/promotions',
    'selling/rate-cards',
    'trade/orders',
    'trade/quotes',
  ],
  work: ({ ports }) => {
    const means = ports.get(PurchaseMeans)
    return [intentWork(means), cartWork(means), refundWork(means)]
  },
  queues: [
    {
      kind: 'intents',
      table: 'purchase_intents',
      mode: `case when status = 'awaiting_approval' then '' else mode::text end`,
    },
    { kind: 'carts', table: 'carts', mode: 'mode::text', channel: 'channel', of: 'intent_id' },
    { kind: 'refunds', table: 'order_refunds', mode: 'mode::text', of: 'order_id' },
  ],
  followers: [followDecisions],
  invariants: executionInvariants,
  binds: [bind(InFlight, callsInFlight)],
})
