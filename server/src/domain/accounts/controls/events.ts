import { defineEvent, type TypesOf } from '../../../contract/event.ts'
import type { Control } from './control.ts'

const controlEvent = defineEvent<Control>()

/** What can happen to the switch that freezes purchases. */
export const controlEvents = {
  'control.frozen': controlEvent({ summary: 'Purchases were frozen.' }),
  'control.unfrozen': controlEvent({ summary: 'Purchases go on.' }),
}

declare module '../../../contract/event.ts' {
  interface Events extends TypesOf<typeof controlEvents> {}
}
