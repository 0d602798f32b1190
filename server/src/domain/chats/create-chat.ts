import Type from 'typebox'
import type { CallContext } from '../../contract/context.ts'
import { defineOperation, reply } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { Closed, IdParam, Text } from '../../contract/schemas.ts'
import { readProfile } from '../buyers/profiles/public.ts'
import { Chat, type ChatRow, factsOfChat, renderChat } from './chat.ts'
import { insertChat } from './chats.sql.ts'
import { postMessage } from './post-message.ts'
import { ChatMessageCreate, readSaid } from './said.ts'

export const createChat = defineOperation({
  id: 'v1_create_chat',
  method: 'POST',
  path: '/v1/chats',
  auth: 'secret',
  scope: 'chats:write',
  forBound: 'served',
  surfaces: ['v1'],
  tag: 'Chats',
  summary: 'Create a chat',
  description:
    'A chat is a conversation of one profile with an agent that shops for it. The agent acts for your key, within its scopes and limits, ' +
    'and approves nothing: for that it hands a person a button. With `message`, the first message is written at once.',
  body: Closed({
    profile_id: IdParam('The profile that it shops for.', 'prof'),
    title: Type.Optional(
      Text(200, { description: 'What it is called. Default: how the first wish begins.' }),
    ),
    context: Type.Optional(
      Text(2000, {
        description:
          'What a language model should know, such as the page that the person looks at. It reaches the model as data; the planner does not read it.',
      }),
    ),
    message: Type.Optional(
      Type.Union([Text(8000, { description: 'The first message, as text.' }), ChatMessageCreate], {
        description: 'The first message.',
      }),
    ),
  }),
  examples: {
    kettle: {
      summary: 'Look for a kettle',
      body: { profile_id: 'prof_01jzqf9d5nf9w8cev8bq1g8v3s', message: 'a quiet kettle under 40 euros' },
    },
  },
  responses: { 201: Chat },
  problems: ['not_found', 'profile_not_active'],
  async handle(ctx, { body }) {
    const profile = await readProfile(ctx.tx, ctx.tenant, body.profile_id)
    if (!profile) throw new Problem('not_found', { param: 'profile_id' })
    if (profile.status !== 'active') throw new Problem('profile_not_active', { param: 'profile_id' })
    const { message } = body
    const said =
      message === undefined
        ? null
        : readSaid(typeof message === 'string' ? { parts: [{ type: 'text', text: message }] } : message)
    const row: ChatRow = {
      ...newChat(ctx),
      profile_id: profile.id,
      title: body.title ?? null,
      context: body.context ?? null,
    }
    const { accountId: account_id, mode } = ctx.tenant
    ctx.tx.write(insertChat({ ...row, account_id, mode }))
    ctx.tx.emit({
      type: 'chat.created',
      aggregateId: row.id,
      sequence: 1,
      object: factsOfChat(row, ctx.tenant),
    })
    const chat = said === null ? row : (await postMessage(ctx, row, said)).chat
    return reply(201, renderChat(chat, ctx.tenant))
  },
})

function newChat(ctx: CallContext): Omit<ChatRow, 'profile_id' | 'title' | 'context'> {
  return {
    id: ctx.newId('chat'),
    status: 'active',
    model: 'planner',
    memory: null,
    last_message_at: null,
    last_message_preview: null,
    message_count: 0,
    steps: 0,
    tokens: 0n,
    cost: 0n,
    position: 0n,
    seq: 1,
    due_at: null,
    created_at: ctx.now,
    updated_at: ctx.now,
    archived_at: null,
  }
}
