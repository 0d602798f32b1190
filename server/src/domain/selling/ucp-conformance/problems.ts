import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'

/** What is refused here, beyond what every operation may refuse. */
export const problems = defineProblems({
  conformance_checkout_refused: {
    status: 400,
    retryable: false,
    message: 'The checkout cannot be made or completed like this.',
  },
  conformance_payment_refused: {
    status: 402,
    retryable: false,
    message: 'The payment was refused. Nothing was charged.',
  },
  simulation_refused: {
    status: 403,
    retryable: false,
    message: 'The header Simulation-Secret does not open this.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}
