import { defineEvent, type TypesOf } from '../../../contract/event.ts'
import type { MppApi } from './mpp-api.ts'

const mppApiEvent = defineEvent<MppApi>()

/** The events of this slice. */
export const mppApiEvents = {
  'mpp_api.created': mppApiEvent({ summary: 'A custom MPP API was published.' }),
  'mpp_api.updated': mppApiEvent({ summary: 'A custom MPP API changed.' }),
  'mpp_api.archived': mppApiEvent({ summary: 'A custom MPP API was archived.' }),
}

declare module '../../../contract/event.ts' {
  interface Events extends TypesOf<typeof mppApiEvents> {}
}
