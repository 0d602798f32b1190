import { defineIds } from '../../../contract/ids.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { checkEvents } from './events.ts'
import { integrationCheckInvariants } from './invariants.ts'
import { integrationCheckOperations } from './operations.ts'
import { problems } from './problems.ts'
import { sweepChecks } from './sweep-checks.ts'
import { checkWork } from './work.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  chk: { names: 'an integration check' },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
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
  operations: integrationCheckOperations,
  work: () => [checkWork],
  queues: [{ kind: 'integration_checks', table: 'integration_checks', of: 'destination_id' }],
  sweeps: [sweepChecks],
  invariants: integrationCheckInvariants,
})
