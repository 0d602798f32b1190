import Type, { type Static } from 'typebox'
import type { Tenant } from '../../contract/context.ts'
import { At, Closed, IdOf, Named, Nullable, OneOf, objectHead } from '../../contract/schemas.ts'
import type { Id } from '../../core/id.ts'
import { ChatPart } from './parts.ts'

const roles = ['user', 'assistant'] as const
const messageStatuses = ['writing', 'completed', 'stopped', 'failed'] as const

export const ChatMessage = Named(
  'ChatMessage',
  Closed(
    {
      ...objectHead('msg', 'chat_message'),
      chat_id: IdOf('chat', 'The chat.'),
      place: Type.Integer({ description: 'Its place in the chat, from 1.' }),
      role: OneOf(roles, { description: 'Who wrote it.' }),
      status: OneOf(messageStatuses, {
        description: '`writing` while its run writes it; a stopped one keeps what was said until then.',
      }),
      parts: Type.Array(ChatPart, { description: 'What it consists of, in order.' }),
      client_message_id: Nullable(Type.String({ description: 'The id that its writer gave it.' })),
      run_id: IdOf('run', 'The run that answers it, or that wrote it.'),
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

export function renderMessage(row: MessageRow, { mode }: Pick<Tenant, 'mode'>): ChatMessage {
  const { created_at, completed_at } = row
  return {
    ...row,
    object: 'chat_message',
    mode,
    created_at: created_at.toISOString(),
    updated_at: (completed_at ?? created_at).toISOString(),
    completed_at: completed_at?.toISOString() ?? null,
  }
}
