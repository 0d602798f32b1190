import { defineEvent, type TypesOf } from '../../contract/event.ts'
import type { ChatFacts } from './chat.ts'
import type { ChatRun } from './run.ts'

/** None of them repeats what was said: events are kept longer than a chat. */
export const chatEvents = {
  'chat.created': defineEvent<ChatFacts>()({ summary: 'A chat was created.' }),
  'chat.archived': defineEvent<ChatFacts>()({ summary: 'A chat was archived.' }),
  'chat.run_queued': defineEvent<ChatRun>()({ summary: 'A message was written in a chat, and is answered.' }),
  'chat.run_ended': defineEvent<ChatRun>()({ summary: 'A message of a chat was answered, or will not be.' }),
}

declare module '../../contract/event.ts' {
  interface Events extends TypesOf<typeof chatEvents> {}
}
