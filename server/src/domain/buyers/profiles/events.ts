import { defineEvent, type TypesOf } from '../../../contract/event.ts'
import type { Profile } from './profile.ts'

const profileEvent = defineEvent<Profile>()

/** The events of this slice. */
export const profileEvents = {
  'profile.created': profileEvent({ summary: 'A profile was created.' }),
  'profile.updated': profileEvent({ summary: 'A profile changed.' }),
  'profile.archived': profileEvent({ summary: 'A profile was archived.' }),
  'profile.issuing_updated': profileEvent({ summary: "The verification of a profile's identity went on." }),
}

declare module '../../../contract/event.ts' {
  interface Events extends TypesOf<typeof profileEvents> {}
}
