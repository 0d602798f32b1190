import type { ChatMessage } from '../../domain/chats/message.ts'
import type { ChatPart } from '../../domain/chats/parts.ts'

type OfRun = { chat_id: string; run_id: string }

/** What the service streams of a chat. */
export type ChatEvent = { readonly id: string } & (
  | {
      readonly event: 'message.created' | 'message.completed'
      readonly data: OfRun & { message: ChatMessage }
    }
  | {
      readonly event: 'part.delta'
      readonly data: OfRun & { message_id: string; index: number; delta: string }
    }
  | {
      readonly event: 'part.completed'
      readonly data: OfRun & { message_id: string; index: number; part: ChatPart }
    }
  | { readonly event: 'requires_action'; readonly data: OfRun & { message_id: string; part: ChatPart } }
  | { readonly event: 'error'; readonly data: OfRun & { code: string; message: string } }
  | { readonly event: 'done'; readonly data: OfRun & { status: RunStatus } }
  | { readonly event: 'cursor.expired'; readonly data: { message: string } }
)

/** How a run stands once nothing more is said for the moment: `waiting` goes on when its purchase has changed. */
export type RunStatus = 'completed' | 'waiting' | 'stopped' | 'failed'
