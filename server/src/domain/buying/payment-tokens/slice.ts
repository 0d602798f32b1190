import { defineIds } from '../../../contract/ids.ts'
import { bind } from '../../../contract/port.ts'
import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { UsedTokens } from '../execution/public.ts'
import { createPurchaseIntentPaymentToken } from './create-purchase-intent-payment-token.ts'
import { paymentTokenEvents } from './events.ts'
import { paymentTokenInvariants } from './invariants.sql.ts'
import { orderOfToken } from './order-of-token.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  tok: { names: 'a payment token', isOpen: true },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

/** What is refused here, beyond what every operation may refuse. */
const problems = defineProblems({
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

export const paymentTokens = defineSlice({
  name: 'buying/payment-tokens',
  about: 'Makes tokens of approved purchases, by which a merchant of ours charges what was reserved.',
  needs: ['accounts/controls', 'buying/execution', 'buying/intents', 'selling/merchant'],
  tables: ['payment_tokens'],
  ids,
  problems,
  tags: {
    'Payment tokens': 'Tokens by which a merchant charges a purchase itself, over UCP or MPP.',
  },
  events: paymentTokenEvents,
  operations: [createPurchaseIntentPaymentToken],
  invariants: paymentTokenInvariants,
  binds: [bind(UsedTokens, orderOfToken)],
})
