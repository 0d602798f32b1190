import { defineIds } from '../../../contract/ids.ts'
import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { createIntegrationCheck } from './create-integration-check.ts'
import { checkEvents } from './events.ts'
import { getIntegrationCheck, listIntegrationChecks } from './get-integration-checks.ts'
import { integrationCheckInvariants } from './invariants.sql.ts'
import { sweepChecks } from './sweep-checks.sql.ts'
import { checkWork } from './work.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  chk: { names: 'an integration check' },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

/** What is refused here, beyond what every operation may refuse. */
const problems = defineProblems({
  test_mode_required: {
    status: 409,
    retryable: false,
    message: 'Integration checks run in test mode. Use a test key.',
  },
  check_already_running: {
    status: 409,
    retryable: true,
    message: 'A check of this kind is running for this destination. Read it until it has finished.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}

export const integrationChecks = defineSlice({
  name: 'readiness/integration-checks',
  about: "Tries a merchant's backend with a test quote and a test order, and reports what it got wrong.",
  needs: ['trade/orders', 'trade/quotes', 'webhooks/destinations'],
  tables: ['integration_checks'],
  ids,
  problems,
  tags: {
    'Merchant checks': 'Integration checks: proof that a destination works, and whether it still holds.',
  },
  events: checkEvents,
  operations: [createIntegrationCheck, listIntegrationChecks, getIntegrationCheck],
  work: () => [checkWork],
  queues: [{ kind: 'integration_checks', table: 'integration_checks', of: 'destination_id' }],
  sweeps: [sweepChecks],
  invariants: integrationCheckInvariants,
})
