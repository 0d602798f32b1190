import { defineEvent, type TypesOf } from '../../../contract/event.ts'
import type { IntegrationCheck } from './integration-check.ts'

const checkEvent = defineEvent<IntegrationCheck>()

/** What can happen to an integration check. */
export const checkEvents = {
  'integration_check.queued': checkEvent({ summary: 'An integration check was asked for.' }),
  'integration_check.running': checkEvent({ summary: 'An integration check waits for something.' }),
  'integration_check.passed': checkEvent({ summary: 'An integration check passed.' }),
  'integration_check.failed': checkEvent({ summary: 'An integration check failed.' }),
}

declare module '../../../contract/event.ts' {
  interface Events extends TypesOf<typeof checkEvents> {}
}
