import Type from 'typebox'
import { defineOperation, reply } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { Closed, IdParam, Named } from '../../contract/schemas.ts'
import { Chat, renderChat } from './chat.ts'
import { selectChat } from './chats.sql.ts'
import { ChatMessage, type MessageRow, renderMessage } from './message.ts'
import { selectMessages } from './messages.sql.ts'

const pageRows = 200
/** A longer one is exported in parts, by `after` of v1_list_chat_messages. */
const messagesMax = 10_000

const ChatExport = Named(
  'ChatExport',
  Closed(
    {
      object: Type.Literal('chat_export', { description: 'The type of this object.' }),
      chat: Chat,
      messages: Type.Array(ChatMessage, { description: 'All its messages, the oldest first.' }),
      is_complete: Type.Boolean({ description: 'False: only its first 10,000 messages are here.' }),
    },
    { description: 'A chat with everything that was said in it.' },
  ),
)

export const exportChat = defineOperation({
  id: 'v1_export_chat',
  method: 'GET',
  path: '/v1/chats/{chat_id}/export',
  auth: 'secret',
  scope: 'chats:read',
  forBound: 'served',
  surfaces: ['v1'],
  reads: 'long',
  tag: 'Chats',
  summary: 'Export a chat',
  description: 'Everything that was said in it, as one JSON document.',
  params: Closed({ chat_id: IdParam('The chat.', 'chat') }),
  responses: { 200: ChatExport },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    const { accountId: account_id, mode } = ctx.tenant
    const chat = await ctx.reads.maybe(selectChat({ account_id, mode, id: path.chat_id }))
    if (!chat) throw new Problem('not_found', { param: 'chat_id' })
    const messages: MessageRow[] = []
    for (let after = 0; messages.length < messagesMax; after = messages.at(-1)?.place ?? 0) {
      const of = { account_id, mode, chat_id: chat.id, after, limit: pageRows }
      const page = await ctx.reads.rows(selectMessages(of))
      messages.push(...page)
      if (page.length < pageRows) break
    }
    return reply(200, {
      object: 'chat_export' as const,
      chat: renderChat(chat, ctx.tenant),
      messages: messages.map((row) => renderMessage(row, ctx.tenant)),
      is_complete: messages.length >= chat.message_count,
    })
  },
})
