import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'

/** What the operations of this slice refuse with, besides what any operation can answer. */
export const problems = defineProblems({
  evidence_gone: {
    status: 410,
    retryable: false,
    message: 'The picture was kept for its time, or until its profile was archived, and is deleted.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}
