import { defineSlice } from '../../../platform/slices/slice.ts'
import { paidOrderOperations } from './operations.ts'
import { problems } from './problems.ts'

export const paidOrders = defineSlice({
  name: 'selling/paid-orders',
  about: 'Sells what merchants of ours have to payers who answer a payment challenge, over MPP.',
  needs: ['selling/checkouts', 'selling/pricing', 'selling/sales', 'trade/orders'],
  problems,
  tags: { 'MPP orders': 'Orders at one merchant that are paid by HTTP 402, over MPP.' },
  operations: paidOrderOperations,
})
