import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'

/** What is refused here, beyond what every operation may refuse. */
export const problems = defineProblems({
  payment_verification_required: {
    status: 409,
    retryable: false,
    message:
      'The card needs a security code or a step-up, which only its holder has: `next_action.method` says which. Ask the person for it, and call v1_approve_purchase_intent with `temporary_cvc_token_id` or `payment_verification`.',
  },
  verification_used: {
    status: 410,
    retryable: false,
    message:
      'This proof, or this security code, has approved a purchase already. Ask the person for another one, in a component.',
  },
  verification_wrong_intent: {
    status: 409,
    retryable: false,
    message:
      'This proof, or this security code, was given for another purchase intent. Ask the person for one of this purchase.',
  },
  shipping_address_required: {
    status: 409,
    retryable: false,
    message:
      'The purchase is shipped, and its profile has no address. Ask a person for one, add it with v1_create_profile_address, then approve again.',
  },
  live_payments_not_configured: {
    status: 409,
    retryable: false,
    message:
      'No live payment rail is configured, so nothing can be charged in live mode. Tell a person; test keys buy from the sandbox.',
  },
  not_approvable: {
    status: 409,
    retryable: false,
    message:
      'The purchase intent does not await approval. `summary` of v1_get_purchase_intent says how it stands.',
  },
  approval_stale: {
    status: 409,
    retryable: false,
    message:
      'The cap is another than the buyer saw. Show the person `max_allowed_amount` of this answer, and approve again with it if they agree.',
  },
  input_not_awaited: {
    status: 409,
    retryable: false,
    message:
      'The purchase does not wait to be told anything, or no longer: `next_action` says what it waits for. A code is given where the person signs in.',
  },
  not_cancellable: {
    status: 409,
    retryable: false,
    message:
      'The purchase, or a cart that was named, can no longer be cancelled. `cart_ids` cancels the others, whose `can_cancel` is true.',
  },
  not_retryable: {
    status: 409,
    retryable: false,
    message:
      'Nothing that was asked for can be retried: only carts of a failed purchase whose `can_retry` is true.',
  },
  not_reconcilable: {
    status: 409,
    retryable: false,
    message:
      'The cart waits for no decision about its outcome. Only one whose failure is `outcome_unknown` does.',
  },
  ticket_wrong_intent: {
    status: 409,
    retryable: false,
    message:
      'The credential ticket was made for another purchase intent, and is destroyed. Ask the person to sign in again.',
  },
  ticket_used: {
    status: 410,
    retryable: false,
    message: 'The credential ticket was used or destroyed, or has expired. Ask the person to sign in again.',
  },
  merchant_changed: {
    status: 409,
    retryable: false,
    message:
      'The merchant has changed since: its account, domain, category, country or verification is different now. Request a new quote, or create a new purchase intent.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}
