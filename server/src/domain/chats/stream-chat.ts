import Type from 'typebox'
import type { CallContext } from '../../contract/context.ts'
import { defineOperation, reply, type StreamReply } from '../../contract/operation.ts'
import { invalid, Problem } from '../../contract/problem.ts'
import { Closed, IdParam } from '../../contract/schemas.ts'
import { selectChatProgress } from './chat-events.sql.ts'
import type { RunRow } from './run.ts'
import { selectOpenRuns } from './runs.sql.ts'
import { StreamFormat } from './said.ts'
import { aiSdkHeaders, aiSdkStream } from './streams/ai-sdk-stream.ts'
import { followChat } from './streams/follow-chat.ts'
import { ownStream } from './streams/own-stream.ts'

export type Format = 'prokura' | 'ai-sdk'

export const streamChat = defineOperation({
  id: 'v1_stream_chat',
  method: 'GET',
  path: '/v1/chats/{chat_id}/stream',
  auth: 'secret',
  scope: 'chats:read',
  forBound: 'served',
  surfaces: ['v1'],
  tag: 'Chats',
  summary: 'Stream what happens in a chat',
  description:
    'Begins with the answer that is being written, or after the event that `Last-Event-ID` names, and ends when nothing is under way: no ' +
    'answer is written, and no purchase is waited for. To close it stops nothing.',
  streams: true,
  params: Closed({ chat_id: IdParam('The chat.', 'chat') }),
  query: Closed({ format: Type.Optional(StreamFormat) }),
  headers: Closed({
    last_event_id: Type.Optional(
      Type.String({ maxLength: 255, description: 'The id of the last event received.' }),
    ),
  }),
  responses: { 200: Type.Object({}, { description: 'Events.' }), 204: Type.Unknown() },
  answers: {
    200: 'A stream of `message.created`, `part.delta`, `part.completed`, `requires_action`, `message.completed`, `error` and `done`.',
    204: 'Nothing is under way, and nothing has happened since.',
  },
  problems: ['not_found'],
  async handle(ctx, { path, query, headers }) {
    const { accountId: account_id, mode } = ctx.tenant
    const of = { account_id, mode, chat_id: path.chat_id }
    const progress = await ctx.reads.maybe(selectChatProgress({ ...of, run_id: null }))
    if (!progress) throw new Problem('not_found', { param: 'chat_id' })
    const cursor = cursorOf(headers.last_event_id)
    if (query.format === 'ai-sdk') {
      // The SDK begins an answer anew, and has nothing to do with a purchase that is waited for.
      const [run] = progress.is_busy ? await ctx.reads.rows(selectOpenRuns(of)) : []
      return run ? streamOf(ctx, run, 'ai-sdk') : nothing
    }
    const isMissing = cursor !== null && cursor < progress.position
    if (!progress.is_busy && !progress.is_waiting && !isMissing) return nothing
    const begins = progress.follows ?? progress.position
    ctx.hold('chatStreams')
    return {
      stream: ownStream(followChat(ctx, { chatId: path.chat_id, after: cursor ?? begins, runId: null })),
    }
  },
})

const nothing = reply(204, {})

/** The answer of one run, in the form that the caller asked for. */
export function streamOf(
  ctx: CallContext,
  { id: runId, chat_id: chatId, follows: after }: Pick<RunRow, 'id' | 'chat_id' | 'follows'>,
  format: Format,
): StreamReply {
  ctx.hold('chatStreams')
  const followed = followChat(ctx, { chatId, after, runId })
  if (format === 'ai-sdk') return { stream: aiSdkStream(followed), headers: aiSdkHeaders }
  return { stream: ownStream(followed) }
}

function cursorOf(header: string | undefined): bigint | null {
  if (header === undefined || header === '') return null
  if (!/^\d{1,18}$/.test(header))
    throw invalid(['header', 'last-event-id'], 'Last-Event-ID must be the id of an event')
  return BigInt(header)
}
