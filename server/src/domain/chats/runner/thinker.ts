import type { Tenant } from '../../../contract/context.ts'
import type { ChatRow } from '../chat.ts'
import type { MessageRow } from '../message.ts'
import type { ModelTool, ToolCall } from '../port.ts'
import type { RunRow } from '../run.ts'

/** A chat as whoever thinks sees it. */
export type Thread = {
  readonly tenant: Tenant
  readonly chat: Pick<ChatRow, 'id' | 'context' | 'memory'>
  /** The last messages, the oldest first; the message that is being written is the last. */
  readonly messages: readonly MessageRow[]
  /** What the run answers. */
  readonly wish: MessageRow
  readonly run: Pick<RunRow, 'id' | 'step'>
  readonly tools: readonly ModelTool[]
}

/** What comes next: something to say, then something to call. With nothing to call, the answer is complete. */
export type Thought = {
  readonly text: string
  /** The products to show, by their ids, before the text. */
  readonly show: readonly string[]
  readonly calls: readonly ToolCall[]
  /** What it remembers from now on; undefined: what it remembered before. */
  readonly memory?: unknown
  readonly tokens: number
  /** In millionths of a minor unit of the currency that the operator pays in. */
  readonly cost: number
}

/** How it thinks: it may speak before its thought is complete. */
type Thinking = {
  readonly signal: AbortSignal
  /** Takes what is said, in pieces of any length. */
  onText(piece: string): void
}

export interface Thinker {
  /** As threads show it. */
  readonly name: string
  /** Whether it takes so long that the lease of the chat has to be renewed meanwhile. */
  readonly isSlow: boolean
  /** So many of the last messages it is told. */
  readonly messagesMax: number
  think(thread: Thread, thinking: Thinking): Promise<Thought>
}

/** It cannot think now. Its message is for the person who reads the chat. */
export class ThinkingFailed extends Error {
  override readonly name = 'ThinkingFailed'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
