import Type from 'typebox'
import type { CallContext } from '../../contract/context.ts'
import { defineOperation, reply } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { getOperation, listOperation } from '../../contract/read-operations.ts'
import { Closed, IdParam, Named, OneOf } from '../../contract/schemas.ts'
import { Chat, type ChatRow, chatStatuses, factsOfChat, renderChat } from './chat.ts'
import { countChats, lockChat, selectChat, selectChats, updateChat } from './chats.sql.ts'
import { ChatMessage, renderMessage } from './message.ts'
import { selectMessages } from './messages.sql.ts'

const tag = 'Chats'
const params = { chat_id: IdParam('The chat.', 'chat') }

export const getChat = getOperation({
  id: 'v1_get_chat',
  path: '/v1/chats/{chat_id}',
  scope: 'chats:read',
  forBound: 'served',
  surfaces: ['v1'],
  tag,
  summary: 'Read a chat',
  description: 'Says how many messages it has, how the last one begins, and what it has used.',
  params,
  shows: Chat,
  row: selectChat,
  render: (row, ctx) => renderChat(row, ctx.tenant),
})

export const listChats = listOperation({
  id: 'v1_list_chats',
  path: '/v1/chats',
  scope: 'chats:read',
  forBound: 'served',
  surfaces: ['v1'],
  tag,
  summary: 'List chats, the one with the newest message first',
  description: 'Use it to show a person the conversations of a profile.',
  filters: {
    profile_id: Type.Optional(IdParam('Only chats of this profile.', 'prof')),
    status: Type.Optional(OneOf(chatStatuses, { description: 'Only chats with this status.' })),
  },
  limits: [50, 100],
  lists: [Chat, 'ChatList'],
  rows: selectChats,
  count: countChats,
  render: (row, ctx) => renderChat(row, ctx.tenant),
})

const messagesDefault = 50
const messagesMax = 200

const MessageList = Named(
  'ChatMessageList',
  Closed({
    object: Type.Literal('list', { description: 'The type of this object.' }),
    data: Type.Array(ChatMessage, { description: 'The messages, the oldest first.' }),
    total: Type.Integer({ description: 'How many messages of the chat come after `after`.' }),
    limit: Type.Integer({ description: 'The most messages that it holds.' }),
    offset: Type.Integer({ description: 'Always 0: the next page begins after the last `place`.' }),
    has_more: Type.Boolean({ description: 'Whether more messages follow.' }),
  }),
)

export const listChatMessages = defineOperation({
  id: 'v1_list_chat_messages',
  method: 'GET',
  path: '/v1/chats/{chat_id}/messages',
  auth: 'secret',
  scope: 'chats:read',
  forBound: 'served',
  surfaces: ['v1'],
  tag,
  summary: 'List the messages of a chat, oldest first',
  description: 'Send the `place` of the last message that you have as `after` to get only newer ones.',
  params: Closed(params),
  query: Closed({
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2_147_483_647,
        default: 0,
        description: 'Only messages with a higher `place`.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: messagesMax,
        default: messagesDefault,
        description: 'The most to return.',
      }),
    ),
  }),
  responses: { 200: MessageList },
  problems: ['not_found'],
  async handle(ctx, { path, query }) {
    const { accountId: account_id, mode } = ctx.tenant
    const { after = 0, limit = messagesDefault } = query
    const [chat, rows] = await Promise.all([
      ctx.reads.maybe(selectChat({ account_id, mode, id: path.chat_id })),
      ctx.reads.rows(selectMessages({ account_id, mode, chat_id: path.chat_id, after, limit })),
    ])
    if (!chat) throw new Problem('not_found', { param: 'chat_id' })
    return reply(200, {
      object: 'list' as const,
      data: rows.map((row) => renderMessage(row, ctx.tenant)),
      total: Math.max(0, chat.message_count - after),
      limit,
      offset: 0,
      has_more: (rows.at(-1)?.place ?? chat.message_count) < chat.message_count,
    })
  },
})

export const archiveChat = defineOperation({
  id: 'v1_archive_chat',
  method: 'POST',
  path: '/v1/chats/{chat_id}/archive',
  auth: 'secret',
  scope: 'chats:write',
  forBound: 'served',
  surfaces: ['v1'],
  tag,
  summary: 'Archive a chat',
  description: 'It takes no more messages. What it says can be read until it is deleted.',
  params: Closed(params),
  responses: { 200: Chat },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    const { accountId: account_id, mode } = ctx.tenant
    const chat = await lockedChat(ctx, path.chat_id)
    if (chat.status === 'archived') return reply(200, renderChat(chat, ctx.tenant))
    const archived: ChatRow = {
      ...chat,
      status: 'archived',
      archived_at: ctx.now,
      updated_at: ctx.now,
      seq: chat.seq + 1,
    }
    ctx.tx.write(updateChat({ ...archived, account_id, mode }))
    const object = factsOfChat(archived, ctx.tenant)
    ctx.tx.emit({ type: 'chat.archived', aggregateId: chat.id, sequence: archived.seq, object })
    return reply(200, renderChat(archived, ctx.tenant))
  },
})

export async function lockedChat(ctx: CallContext, id: string): Promise<ChatRow> {
  const { accountId: account_id, mode } = ctx.tenant
  const chat = await ctx.tx.maybe(lockChat({ account_id, mode, id }))
  if (!chat) throw new Problem('not_found', { param: 'chat_id' })
  return chat
}
