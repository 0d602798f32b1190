import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { mppCreateOrder } from './create-order.ts'
import { mppGetOrder } from './get-order.ts'
import { mppQuoteOrder } from './quote-order.ts'

/** What is refused here, beyond what every operation may refuse. */
const problems = defineProblems({
  order_not_possible: {
    status: 409,
    retryable: false,
    message: 'The merchant does not sell this, or not in this way.',
  },
  order_incomplete: {
    status: 422,
    retryable: false,
    message: 'Something is missing in the order.',
  },
  payment_not_accepted: {
    status: 402,
    retryable: false,
    message: 'The payment was not accepted. Nothing was charged.',
  },
  payment_challenge_over: {
    status: 402,
    retryable: false,
    message: 'The challenge is not valid any more. Nothing was charged. Answer the new one.',
  },
  payment_under_way: {
    status: 503,
    retryable: true,
    message: 'The payment is under way. Send the same request again: it is not paid twice.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}

export const paidOrders = defineSlice({
  name: 'selling/paid-orders',
  about: 'Sells what merchants of ours have to payers who answer a payment challenge, over MPP.',
  needs: ['selling/checkouts', 'selling/pricing', 'selling/sales', 'trade/orders'],
  problems,
  tags: { 'MPP orders': 'Orders at one merchant that are paid by HTTP 402, over MPP.' },
  operations: [mppQuoteOrder, mppCreateOrder, mppGetOrder],
})
