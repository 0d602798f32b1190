import Type, { type Static } from 'typebox'
import type { Tenant } from '../../contract/context.ts'
import { At, Closed, IdOf, Named, Nullable, OneOf, objectHead } from '../../contract/schemas.ts'
import type { Id } from '../../core/id.ts'
import type { ToolCall } from './port.ts'

const runStatuses = ['queued', 'running', 'waiting', 'completed', 'stopped', 'failed'] as const

export const ChatRun = Named(
  'ChatRun',
  Closed(
    {
      ...objectHead('run', 'chat_run'),
      run_id: IdOf('run', 'The same id.'),
      chat_id: IdOf('chat', 'The chat.'),
      message_id: IdOf('msg', 'The message that it answers.'),
      status: OneOf(runStatuses, {
        description: '`waiting` for a purchase, whose end it tells; meanwhile the chat takes other messages.',
      }),
      steps: Type.Integer({ description: 'The steps that it has finished.' }),
      ended_because: Nullable(
        Type.String({ description: 'Why it ended without an answer; null: it did not.' }),
      ),
      ended_at: Nullable(At('When it ended; null: it has not.')),
    },
    { description: 'What answers a message of a chat, step by step.' },
  ),
)
export type ChatRun = Static<typeof ChatRun>

export type RunRow = {
  id: Id<'run'>
  chat_id: Id<'chat'>
  message_id: Id<'msg'>
  key_id: Id<'key'>
  follows: bigint
  status: (typeof runStatuses)[number]
  queued_at: Date
  stop_asked_at: Date | null
  step: number
  tokens: bigint
  calls: ToolCall[]
  answer_id: Id<'msg'> | null
  ended_because: string | null
  created_at: Date
  updated_at: Date
  ended_at: Date | null
}

export function renderRun(row: RunRow, { mode }: Pick<Tenant, 'mode'>): ChatRun {
  return {
    id: row.id,
    object: 'chat_run',
    mode,
    run_id: row.id,
    chat_id: row.chat_id,
    message_id: row.message_id,
    status: row.status,
    steps: row.step,
    ended_because: row.ended_because,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  }
}

export function isOver({ status }: Pick<RunRow, 'status'>): boolean {
  return status === 'completed' || status === 'stopped' || status === 'failed'
}
