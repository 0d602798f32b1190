import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'

/** What is refused here, beyond what every operation may refuse. */
export const problems = defineProblems({
  order_not_awaiting: {
    status: 409,
    retryable: false,
    message: 'The order no longer awaits this. Read the order to see its status.',
  },
  order_not_cancellable: {
    status: 409,
    retryable: false,
    message:
      'The order can no longer be cancelled: it does not await its merchant any more. Read the order to see its status.',
  },
  reprice_above_authorization: {
    status: 409,
    retryable: false,
    message:
      'The new total is above what the buyer authorized (`authorized_amount`). Send a lower price, or reject the order so that it can be bought again.',
  },
  not_supported_by_merchant: {
    status: 409,
    retryable: false,
    message:
      'The order was placed at a merchant elsewhere, which takes no such request from here. Ask the merchant; `order_url` of the order leads to it.',
  },
  order_not_fulfillable: {
    status: 409,
    retryable: false,
    message:
      'The order cannot be fulfilled like this: it must be confirmed, paid and not completed, and no unit is sent twice.',
  },
  order_not_refundable: {
    status: 409,
    retryable: false,
    message: 'There is nothing to refund: the payment was not captured, or the return is not open.',
  },
  refund_exceeds_captured: {
    status: 409,
    retryable: false,
    message:
      'Together with the other refunds, those in progress too, this is more than was captured. Refund at most what is left.',
  },
  disputed: {
    status: 409,
    retryable: false,
    message:
      'The holder of the card disputes this payment at their bank, which gives the money back if they are right. Wait until `dispute.status` of the order is closed.',
  },
  order_not_returnable: {
    status: 409,
    retryable: false,
    message:
      'Nothing can be returned like this: the order must be confirmed and paid, and no unit is returned twice.',
  },
  return_not_open: {
    status: 409,
    retryable: false,
    message: 'The return was refunded or declined already, or a refund for it is in progress.',
  },
  confirmation_reference_in_use: {
    status: 409,
    retryable: false,
    message: 'Another order of this merchant has this confirmation reference. Send another one.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}
