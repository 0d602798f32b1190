import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'

/** What is refused here, beyond what every operation may refuse. */
export const problems = defineProblems({
  item_not_publishable: { status: 409, retryable: false, message: 'The item lacks what publishing needs.' },
  item_archived: { status: 409, retryable: false, message: 'The item is archived. Create another one.' },
  handle_in_use: {
    status: 409,
    retryable: false,
    message: 'Another item has this handle or URL. Send another one, or archive that item.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}
