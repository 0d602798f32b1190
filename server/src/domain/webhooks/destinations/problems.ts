import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'

/** What is refused here, beyond what every operation may refuse. */
export const problems = defineProblems({
  response_conflict: {
    status: 409,
    retryable: false,
    message: 'Another answer to this event was accepted already. Read the order or the quote to see it.',
  },
  responder_conflict: {
    status: 409,
    retryable: false,
    message:
      'Another destination is the designated quote responder. Set its `responds_to_quotes` to false first.',
  },
  destination_archived: {
    status: 409,
    retryable: false,
    message: 'The destination is archived. Create another one.',
  },
  destination_disabled: {
    status: 409,
    retryable: false,
    message: 'The destination is disabled. Enable it first.',
  },
  rotation_in_progress: {
    status: 409,
    retryable: true,
    message: 'Two secrets are valid already. Wait until the older one expires (`previous_expires_at`).',
  },
  delivery_not_redeliverable: {
    status: 409,
    retryable: true,
    message: 'The delivery is still being attempted. Wait until it has succeeded or failed.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}
