import { defineEvent, type TypesOf } from '../../../contract/event.ts'
import type { Market } from './market.ts'

const marketEvent = defineEvent<Market>()

/** The events of this slice. */
export const marketEvents = {
  'market.created': marketEvent({ summary: 'A market was created.' }),
  'market.updated': marketEvent({ summary: 'A market changed.' }),
  'market.archived': marketEvent({ summary: 'A market was archived.' }),
}

declare module '../../../contract/event.ts' {
  interface Events extends TypesOf<typeof marketEvents> {}
}
