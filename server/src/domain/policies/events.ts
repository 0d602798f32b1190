import { defineEvent, type TypesOf } from '../../contract/event.ts'
import type { Policy } from './policy.ts'

const policyEvent = defineEvent<Policy>()

/** What can happen to policies. */
export const policyEvents = {
  'policy.created': policyEvent({ summary: 'A policy was created.' }),
  'policy.updated': policyEvent({ summary: 'A policy changed.' }),
  'policy.archived': policyEvent({ summary: 'A policy was archived.' }),
  'policy.unarchived': policyEvent({ summary: 'A policy was taken out of the archive.' }),
}

declare module '../../contract/event.ts' {
  interface Events extends TypesOf<typeof policyEvents> {}
}
