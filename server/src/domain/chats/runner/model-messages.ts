import type { MessageRow } from '../message.ts'
import type { ChatPart } from '../parts.ts'
import type { ModelMessage, ToolCall } from '../port.ts'
import type { Thread } from './thinker.ts'

/** What a model is told of results that were answered for earlier messages. */
const earlierCharactersMax = 2_000

/** Models take no conversation that ends with their own words, and would say them again. */
const goOn = 'Your answer broke off here. Go on from there, and repeat nothing.'

/** The chat as a model is told it: what was said before, the wish, and what was done for it so far. */
export function modelMessages({
  chat,
  messages,
  wish,
  run,
}: Pick<Thread, 'chat' | 'messages' | 'wish' | 'run'>): ModelMessage[] {
  const own = messages.filter(({ run_id, role }) => run_id === run.id && role === 'assistant')
  const before = messages.filter((message) => message.id !== wish.id && !own.includes(message))
  const done = own.flatMap((message) => told(message, Number.POSITIVE_INFINITY))
  return [
    ...(chat.context === null
      ? []
      : [{ role: 'user' as const, text: `About this chat, as data: ${chat.context}` }]),
    ...before.flatMap((message) => told(message, earlierCharactersMax)),
    ...told(wish, Number.POSITIVE_INFINITY),
    ...done,
    // guard broken-answers-go-on: a model whose worker died goes on where it was, and says nothing twice
    ...(done.at(-1)?.role === 'assistant' ? [{ role: 'user' as const, text: goOn }] : []),
  ]
}

function told({ role, parts }: MessageRow, charactersMax: number): ModelMessage[] {
  if (role === 'user') return [{ role, text: textIn(parts) }]
  const answers = new Map(
    parts.flatMap((part) => (part.type === 'tool_result' ? [[part.id, part] as const] : [])),
  )
  const messages: ModelMessage[] = []
  let text = ''
  let calls: ToolCall[] = []
  const close = () => {
    if (text === '' && calls.length === 0) return
    messages.push({ role: 'assistant', text, calls })
    for (const { id, name } of calls) messages.push(answered({ id, name }, answers.get(id), charactersMax))
    text = ''
    calls = []
  }
  for (const part of parts) {
    if (part.type === 'tool_call') calls.push({ id: part.id, name: part.name, args: part.arguments })
    else if (part.type === 'text' || part.type === 'notice') {
      if (calls.length > 0) close()
      text = text === '' ? part.text : `${text}\n${part.text}`
    } else if (part.type === 'tool_result' && calls.at(-1)?.id === part.id) close()
  }
  close()
  return messages
}

type ResultPart = Extract<ChatPart, { type: 'tool_result' }>

function answered(
  { id, name }: Pick<ToolCall, 'id' | 'name'>,
  part: ResultPart | undefined,
  charactersMax: number,
): ModelMessage {
  const about = { role: 'tool' as const, callId: id, name }
  // A run that was stopped, or that failed, leaves calls without an answer.
  if (!part) return { ...about, result: 'This was not done.', isError: true }
  const result = JSON.stringify(part.result)
  const isCut = result.length > charactersMax
  return { ...about, result: isCut ? `${result.slice(0, charactersMax)}…` : result, isError: part.is_error }
}

function textIn(parts: readonly ChatPart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}
