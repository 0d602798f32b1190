import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'

/** What is refused here, beyond what every operation may refuse. */
export const problems = defineProblems({
  responder_not_configured: {
    status: 409,
    retryable: false,
    message:
      'The merchant has no enabled destination that answers quotes and has confirmed its endpoint. It needs one with `responds_to_quotes: true` that answered `destination.test` with a 2xx.',
  },
  quote_expired: {
    status: 409,
    retryable: false,
    message:
      'The quote no longer waits for this: its time is over, it was refreshed, or it was cancelled. Its buyer can refresh it for a new price.',
  },
  quote_not_refreshable: {
    status: 409,
    retryable: false,
    message:
      'The quote cannot be refreshed in its status. A pending one waits for the merchant; an ordered or cancelled one has ended; one that requires input needs `inputs`.',
  },
  quote_not_acceptable: {
    status: 409,
    retryable: false,
    message:
      'The quote has no offer that can be accepted now. Refresh it with v1_refresh_quote, or request another.',
  },
  quote_not_cancellable: {
    status: 409,
    retryable: false,
    message:
      'The quote can no longer be cancelled. Only one that is pending, quoted or requires input can be.',
  },
  responder_failed: {
    status: 502,
    retryable: true,
    message:
      "The merchant's backend refused the request for a quote or kept failing. Refresh the quote later, or ask another merchant.",
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}
