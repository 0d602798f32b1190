import Type, { type Static } from 'typebox'
import { invalid } from '../../contract/problem.ts'
import { Closed, OneOf, Text } from '../../contract/schemas.ts'
import { looksLikeCardNumber } from '../../schema/card-number.ts'
import { Ruled } from '../../schema/rules.ts'
import { isObject } from '../../schema/schema-node.ts'

const textLengthMax = 8_000
const partsMax = 8

/** What a message must be beyond its schema. */
const rules = {
  length: `at most ${textLengthMax} characters in all`,
  ofUser: 'the last message must be of the user',
  text: 'the last message has no text',
  card: 'it must not contain a card number',
}

export const ChatMessageCreate = Ruled(
  Closed(
    {
      parts: Type.Array(
        Closed({
          type: Type.Literal('text', { description: 'The type of the part.' }),
          text: Text(textLengthMax, { description: 'What is said.' }),
        }),
        {
          minItems: 1,
          maxItems: partsMax,
          description: 'What is said, at most 8,000 characters in all.',
        },
      ),
      client_message_id: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 255,
          description: 'Your id of this message: sent again, it is the same message, and answered once.',
        }),
      ),
    },
    { description: 'A message to write.' },
  ),
  { length: rules.length },
)

export type ChatMessageCreate = Static<typeof ChatMessageCreate>

/** What `useChat` of the AI SDK posts. Of its messages only the last one is read, and of that only its text. */
export const AiSdkMessageCreate = Ruled(
  Type.Object(
    {
      id: Type.Optional(Type.String({ maxLength: 255, description: 'The id of the chat at the client.' })),
      trigger: Type.Optional(
        OneOf(['submit-message'], {
          description: 'An answer is not made again: it may have bought something.',
        }),
      ),
      messageId: Type.Optional(
        Type.Union([Type.String({ maxLength: 255 }), Type.Null()], { description: 'Not read.' }),
      ),
      messages: Type.Array(Type.Object({}, { additionalProperties: true }), {
        minItems: 1,
        maxItems: 10_000,
        description: 'Its messages, the newest last.',
      }),
    },
    { additionalProperties: true, description: 'The request of `useChat` of the AI SDK.' },
  ),
  rules,
)

export const StreamFormat = OneOf(['prokura', 'ai-sdk'], {
  default: 'prokura',
  description: 'How a stream is written: in our events, or in the UI message stream of the AI SDK.',
})

/** What somebody wrote, and under which id. */
export type Said = { readonly text: string; readonly clientMessageId: string | null }

export function readSaid({ parts, client_message_id }: ChatMessageCreate): Said {
  const text = parts.map((part) => part.text).join('\n\n')
  // guard messages-have-a-length: what a model and the planner read is bounded
  if (text.length > textLengthMax) throw invalid(['body', 'parts'], rules.length)
  return { text, clientMessageId: client_message_id ?? null }
}

/** The last message of the AI SDK's body, checked as one of ours is. */
export function readAiSdk(body: Static<typeof AiSdkMessageCreate>): ChatMessageCreate {
  const at = body.messages.length - 1
  const last: unknown = body.messages[at]
  if (!isObject(last) || last.role !== 'user') throw invalid(['body', 'messages', at, 'role'], rules.ofUser)
  const parts = Array.isArray(last.parts) ? last.parts : []
  const texts = parts.flatMap((part: unknown) =>
    isObject(part) && part.type === 'text' && typeof part.text === 'string' && part.text !== ''
      ? [part.text]
      : [],
  )
  if (texts.length === 0) throw invalid(['body', 'messages', at, 'parts'], rules.text)
  // guard no-card-number-in-a-chat: what reaches a model and a log of a chat is no number of a card
  if (texts.some(looksLikeCardNumber)) throw invalid(['body', 'messages', at, 'parts'], rules.card)
  const id = typeof last.id === 'string' && last.id !== '' ? last.id.slice(0, 255) : null
  return {
    parts: texts.map((text) => ({ type: 'text' as const, text })),
    ...(id === null ? {} : { client_message_id: id }),
  }
}
