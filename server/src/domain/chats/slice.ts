import { defineIds } from '../../contract/ids.ts'
import { defineProblems, type ProblemFacts } from '../../contract/problem-codes.ts'
import { defineScopes, type ScopeFacts } from '../../contract/scopes.ts'
import { part } from '../../platform/database/combine-reads.ts'
import { defineSlice } from '../../platform/slices/slice.ts'
import { sweepChatEvents, sweepChats } from './chat-events.sql.ts'
import { selectOwnChats } from './chats.sql.ts'
import { createChat } from './create-chat.ts'
import { createChatMessage } from './create-message.ts'
import { chatEvents } from './events.ts'
import { exportChat } from './export-chat.ts'
import { deleteWithProfile, wakeWaitingChats } from './follow-purchases.ts'
import { archiveChat, getChat, listChatMessages, listChats } from './get-chats.ts'
import { ChatMeans } from './runner/means.ts'
import { chatWork } from './runner/work.ts'
import { stopChatRun } from './stop-run.ts'
import { streamChat } from './stream-chat.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  msg: { names: 'a message of a chat' },
  run: { names: 'what answers a message of a chat' },
})

declare module '../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

/** What keys may be allowed here. */
const scopes = defineScopes({
  'chats:read': { presets: ['buyer_agent'], toolsets: ['buyer'] },
  'chats:write': { presets: ['buyer_agent'], toolsets: ['buyer'] },
})

declare module '../../contract/scopes.ts' {
  interface Scopes extends Record<keyof typeof scopes, ScopeFacts> {}
}

/** What is refused here, beyond what every operation may refuse. */
const problems = defineProblems({
  chat_archived: {
    status: 409,
    retryable: false,
    message: 'The chat is archived and takes no messages. Create another one.',
  },
})

declare module '../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}

export const chats = defineSlice({
  name: 'chats',
  about: 'Keeps conversations with an agent that shops for a profile, and answers them step by step.',
  needs: ['accounts/api-keys', 'accounts/controls', 'buyers/profiles'],
  tables: ['chats', 'chat_messages', 'chat_runs', 'chat_purchases', 'chat_events', 'chat_days'],
  ids,
  scopes,
  problems,
  tags: {
    Chats:
      'Conversations with an agent that shops for a profile. It approves nothing: for that it hands a person a button.',
  },
  events: chatEvents,
  operations: [
    createChat,
    listChats,
    getChat,
    listChatMessages,
    createChatMessage,
    streamChat,
    stopChatRun,
    archiveChat,
    exportChat,
  ],
  work: ({ ports, dispatch }) => [chatWork({ means: ports.get(ChatMeans), dispatch })],
  queues: [{ kind: 'chats', table: 'chats' }],
  followers: [wakeWaitingChats, deleteWithProfile],
  sweeps: [sweepChatEvents, sweepChats],
  ownIds: part(selectOwnChats, []),
})
