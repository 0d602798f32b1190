import { defineEvent, type TypesOf } from '../../contract/event.ts'

/** What operators do to events is recorded as an event too. */
export const platformEvents = {
  'events.unparked': defineEvent<{ object: 'unparked_events'; event_ids: string[]; followers: string[] }>()({
    summary: 'Events that a follower could not follow are tried again.',
  }),
}

declare module '../../contract/event.ts' {
  interface Events extends TypesOf<typeof platformEvents> {}
}
