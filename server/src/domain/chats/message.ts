import Type, { type Static } from 'typebox'
import { At, Closed, IdOf, Named, Nullable, OneOf } from '../../contract/schemas.ts'
import type { Id } from '../../core/id.ts'
import { ChatPart } from './parts.ts'

const roles = ['user', 'assistant'] as const
const messageStatuses = ['writing', 'completed', 'stopped', 'failed'] as const

export const ChatMessage = Named(
  'ChatMessage',
  Closed(
    {
      id: IdOf('msg'),
      object: Type.Literal('chat_message'),
      chat_id: IdOf('chat'),
      place: Type.Integer({ description: 'Its place in the chat, from 1.' }),
      role: OneOf(roles),
      status: OneOf(messageStatuses, {
        description: '`writing` while its run writes it; a stopped one keeps what was said until then.',
      }),
      parts: Type.Array(ChatPart),
      client_message_id: Nullable(Type.String({ description: 'The id that its writer gave it.' })),
      run_id: IdOf('run', 'The run that answers it, or that wrote it.'),
      created_at: At('When it was begun.'),
      completed_at: Nullable(At('When it was complete; null: it is being written.')),
    },
    { description: 'A message of a chat.' },
  ),
)
export type ChatMessage = Static<typeof ChatMessage>

export type MessageRow = {
  id: Id<'msg'>
  chat_id: Id<'chat'>
  place: number
  role: (typeof roles)[number]
  status: (typeof messageStatuses)[number]
  parts: ChatPart[]
  client_message_id: string | null
  run_id: Id<'run'>
  created_at: Date
  completed_at: Date | null
}

export function renderMessage(row: MessageRow): ChatMessage {
  return {
    ...row,
    object: 'chat_message',
    created_at: row.created_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
  }
}
