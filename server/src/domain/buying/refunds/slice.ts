import { defineSlice } from '../../../platform/slices/slice.ts'
import { PaymentRails } from '../rails/public.ts'
import { refundWork } from './work.ts'

export const refunds = defineSlice({
  name: 'buying/refunds',
  about: 'Gives back through the rail what merchants refund of their orders, and shows it at the carts.',
  needs: ['buying/execution', 'buying/intents', 'buying/rails', 'trade/orders'],
  work: ({ ports }) => [refundWork(ports.get(PaymentRails))],
})
