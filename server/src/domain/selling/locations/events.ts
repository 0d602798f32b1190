import { defineEvent, type TypesOf } from '../../../contract/event.ts'
import type { BusinessLocation } from './location.ts'

const businessLocationEvent = defineEvent<BusinessLocation>()

/** The events of this slice. */
export const locationEvents = {
  'business_location.created': businessLocationEvent({ summary: 'A business location was created.' }),
  'business_location.updated': businessLocationEvent({ summary: 'A business location changed.' }),
  'business_location.archived': businessLocationEvent({ summary: 'A business location was archived.' }),
}

declare module '../../../contract/event.ts' {
  interface Events extends TypesOf<typeof locationEvents> {}
}
