import { defineEvent, type TypesOf } from '../../contract/event.ts'
import type { Control } from './control.ts'
import type { Policy } from './policy.ts'

const policyEvent = defineEvent<Policy>()
const controlEvent = defineEvent<Control>()

/** What can happen to policies, and to the switch that freezes purchases. */
export const policyEvents = {
  'policy.created': policyEvent({ summary: 'A policy was created.' }),
  'policy.updated': policyEvent({ summary: 'A policy changed.' }),
  'policy.archived': policyEvent({ summary: 'A policy was archived.' }),
  'policy.unarchived': policyEvent({ summary: 'A policy was taken out of the archive.' }),
  'control.frozen': controlEvent({ summary: 'Purchases were frozen.' }),
  'control.unfrozen': controlEvent({ summary: 'Purchases go on.' }),
}

declare module '../../contract/event.ts' {
  interface Events extends TypesOf<typeof policyEvents> {}
}
