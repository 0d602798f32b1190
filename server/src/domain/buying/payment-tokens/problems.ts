import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'

/** What is refused here, beyond what every operation may refuse. */
export const problems = defineProblems({
  payment_token_not_available: {
    status: 409,
    retryable: false,
    message:
      'No payment token can be made of the purchase: it must be `approved` or `queued`, with no cart begun. Create it with `execution_method` `payment_token`, and create another one where a token was made of it before.',
  },
  payment_token_wrong_merchant: {
    status: 409,
    retryable: false,
    message:
      'Not all items of the purchase are sold by this merchant. Name the merchant that sells them, or create a purchase intent of its items alone.',
  },
  payment_token_over_cap: {
    status: 409,
    retryable: false,
    message:
      'The amount is above the most that may be charged for the purchase, which is `max_allowed_amount` of this answer. Ask for a token of that amount or less, or create a purchase intent with a higher cap.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}
