import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { createElementBootstrap } from './create-bootstrap.ts'
import { createElementClientSecret } from './create-client-secret.ts'
import { createElementSession } from './create-session.ts'
import { elementSweeps } from './elements.sql.ts'

/** What is refused here, beyond what every operation may refuse. */
const problems = defineProblems({
  client_secret_invalid: {
    status: 403,
    retryable: false,
    message:
      'The client secret is over, is for something else, or another page has used it. Have your server ask for a new one.',
  },
  component_not_applicable: {
    status: 409,
    retryable: false,
    message: 'The purchase needs another component now, or none.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}

export const elements = defineSlice({
  name: 'buyers/elements',
  about: 'Lets components in pages of integrators act for a profile, for some minutes.',
  needs: ['accounts/api-keys', 'buyers/profiles', 'buying/intents'],
  tables: ['element_bootstraps', 'element_client_secrets', 'element_sessions'],
  problems,
  tags: { Elements: 'Sessions of components in pages.' },
  operations: [createElementClientSecret, createElementBootstrap, createElementSession],
  sweeps: elementSweeps,
})
