import Type from 'typebox'
import type { CallContext } from '../../contract/context.ts'
import { defineOperation, reply } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { Closed, IdParam } from '../../contract/schemas.ts'
import { lockedChat } from './get-chats.ts'
import { selectClientMessage } from './messages.sql.ts'
import { postMessage } from './post-message.ts'
import { ChatRun, type RunRow, renderRun } from './run.ts'
import { selectRun } from './runs.sql.ts'
import {
  AiSdkMessageCreate,
  ChatMessageCreate,
  readAiSdk,
  readSaid,
  type Said,
  StreamFormat,
} from './said.ts'
import { type Format, streamOf } from './stream-chat.ts'

export const createChatMessage = defineOperation({
  id: 'v1_create_chat_message',
  method: 'POST',
  path: '/v1/chats/{chat_id}/messages',
  auth: 'secret',
  scope: 'chats:write',
  forBound: 'served',
  surfaces: ['v1'],
  tag: 'Chats',
  summary: 'Write a message in a chat',
  description:
    'Answers at once with the run that answers the message. A message that comes while a run answers waits for its turn; at most three wait. ' +
    'Nothing that is written approves a purchase.',
  streams: true,
  replay: 'current',
  params: Closed({ chat_id: IdParam('The chat.', 'chat') }),
  query: Closed({ format: Type.Optional(StreamFormat) }),
  body: Type.Union([ChatMessageCreate, AiSdkMessageCreate]),
  examples: {
    kettle: { summary: 'Say what you look for', body: { parts: [{ type: 'text', text: 'a quiet kettle' }] } },
  },
  responses: { 202: ChatRun },
  answers: {
    202: 'The run. With `Accept: text/event-stream`, its events: the stream ends with the answer.',
  },
  problems: ['not_found', 'chat_archived', 'profile_not_active', 'rate_limited'],
  async handle(ctx, { path, query, body }) {
    const format = query.format ?? 'prokura'
    const said = saidIn(body)
    const run = await runOf(ctx, path.chat_id, said)
    return accepted(ctx, run, format)
  },
  async current(ctx, runId) {
    const { accountId: account_id, mode } = ctx.tenant
    const run = await ctx.reads.maybe(selectRun({ account_id, mode, id: runId }))
    if (!run) throw new Problem('not_found')
    return accepted(ctx, run, 'prokura')
  },
})

/** A body of the AI SDK is known by its `messages`; `format` says how the answer is streamed. */
function saidIn(body: object): Said {
  // The schema has no other body with `messages`, and none without `parts` beside it.
  if ('messages' in body) return readSaid(readAiSdk(body as Parameters<typeof readAiSdk>[0]))
  return readSaid(body as ChatMessageCreate)
}

/** The run of a message: of the one that was written with this id before, or of a new one. */
async function runOf(ctx: CallContext, chatId: string, said: Said): Promise<RunRow> {
  const { accountId: account_id, mode } = ctx.tenant
  const chat = await lockedChat(ctx, chatId)
  const client_message_id = said.clientMessageId
  const before =
    client_message_id === null
      ? null
      : await ctx.tx.maybe(selectClientMessage({ account_id, mode, chat_id: chat.id, client_message_id }))
  // guard same-message-one-turn: a message that is posted again is answered once
  if (before === null) return (await postMessage(ctx, chat, said)).run
  const run = await ctx.tx.maybe(selectRun({ account_id, mode, id: before.run_id }))
  if (!run) throw new Error(`message ${before.id} has no run`)
  return run
}

function accepted(ctx: CallContext, run: RunRow, format: Format) {
  return reply(202, renderRun(run, ctx.tenant), {
    stream: () => streamOf(ctx, run, format),
  })
}
