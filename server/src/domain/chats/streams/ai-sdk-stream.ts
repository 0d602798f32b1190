import type { ServerSentEvent } from '../../../contract/operation.ts'
import type { ChatEvents } from '../chat-change.ts'
import type { Followed } from './follow-chat.ts'

export const aiSdkHeaders = { 'x-vercel-ai-ui-message-stream': 'v1' }

type Chunk = Readonly<Record<string, unknown>> & { readonly type: string }

/**
 * The answer of one run as a UI message stream of the AI SDK, version 1. What a person must do is a `data-action_request`: the SDK's own
 * approval of tools could be answered in the chat, and approves nothing here.
 */
export async function* aiSdkStream(followed: AsyncIterable<Followed>): AsyncGenerator<ServerSentEvent> {
  const writing = new AiSdkMessage()
  for await (const one of followed) {
    if (one.kind === 'beat') yield { comment: 'waiting' }
    else if (one.kind === 'expired')
      yield data({ type: 'error', errorText: 'This answer is no longer streamed. Load the chat again.' })
    else for (const chunk of writing.chunksOf(one.row.type, JSON.parse(one.row.data))) yield data(chunk)
  }
  for (const chunk of writing.end()) yield data(chunk)
  yield { data: '[DONE]' }
}

function data(chunk: Chunk): ServerSentEvent {
  return { data: JSON.stringify(chunk) }
}

class AiSdkMessage {
  #isStarted = false
  #isFinished = false
  #openText: string | null = null

  // biome-ignore lint/suspicious/noExplicitAny: events of ours, by their type
  chunksOf(type: string, event: any): Chunk[] {
    switch (type) {
      case 'message.created':
        return event.message.role === 'assistant' ? this.#start(event.message.id) : []
      case 'part.delta':
        return this.#delta(event)
      case 'part.completed':
        return this.#part(event)
      case 'error':
        return [...this.#closeText(), { type: 'error', errorText: event.message }]
      case 'done':
        return this.end()
      default:
        return []
    }
  }

  end(): Chunk[] {
    if (this.#isFinished || !this.#isStarted) return []
    this.#isFinished = true
    return [...this.#closeText(), { type: 'finish-step' }, { type: 'finish' }]
  }

  #start(messageId: string): Chunk[] {
    if (this.#isStarted) return []
    this.#isStarted = true
    return [{ type: 'start', messageId }, { type: 'start-step' }]
  }

  #delta({ index, delta }: ChatEvents['part.delta']): Chunk[] {
    const id = `text_${index}`
    const opening = this.#openText === id ? [] : [...this.#closeText(), { type: 'text-start', id }]
    this.#openText = id
    return [...opening, { type: 'text-delta', id, delta }]
  }

  #part({ index, part }: ChatEvents['part.completed']): Chunk[] {
    const closing = this.#closeText()
    switch (part.type) {
      case 'text':
        return closing
      case 'tool_call': {
        const about = { toolCallId: part.id, toolName: part.name, dynamic: true }
        return [...closing, { type: 'tool-input-available', ...about, input: part.arguments }]
      }
      case 'tool_result': {
        const about = { toolCallId: part.id, dynamic: true }
        const said = part.is_error
          ? { type: 'tool-output-error', ...about, errorText: JSON.stringify(part.result) }
          : { type: 'tool-output-available', ...about, output: part.result }
        return [...closing, said]
      }
      default:
        return [...closing, { type: `data-${part.type}`, id: `part_${index}`, data: part }]
    }
  }

  #closeText(): Chunk[] {
    const id = this.#openText
    this.#openText = null
    return id === null ? [] : [{ type: 'text-end', id }]
  }
}
