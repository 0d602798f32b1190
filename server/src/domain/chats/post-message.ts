import type { CallContext } from '../../contract/context.ts'
import { rateLimited } from '../../contract/limit-refusals.ts'
import { Problem } from '../../contract/problem.ts'
import type { Id } from '../../core/id.ts'
import { type ChatRow, titleOf } from './chat.ts'
import { ChatChange } from './chat-change.ts'
import type { RunRow } from './run.ts'
import { selectOpenRuns } from './runs.sql.ts'
import type { Said } from './said.ts'

/** Writes a message, and the run that answers it. The chat is locked. */
export async function postMessage(
  ctx: CallContext,
  chat: ChatRow,
  { text, clientMessageId }: Said,
): Promise<{ chat: ChatRow; run: RunRow }> {
  // guard messages-after-archive: an archived chat takes no messages
  if (chat.status === 'archived') throw new Problem('chat_archived')
  const { accountId: account_id, mode } = ctx.tenant
  const open = await ctx.tx.rows(selectOpenRuns({ account_id, mode, chat_id: chat.id }))
  const limit = ctx.settings.limits.chatMessages
  // guard messages-in-turn: a chat has one run, and few messages that wait for it
  if (open.filter(({ status }) => status === 'queued').length >= limit)
    throw rateLimited({ scope: 'chat.messages', limit, windowSeconds: 1, retryAfterSeconds: 2 })
  const change = new ChatChange(ctx, chat)
  const run = newRun(ctx, chat)
  change.addMessage(run, {
    id: run.message_id,
    role: 'user',
    parts: [{ type: 'text', text }],
    client_message_id: clientMessageId,
  })
  change.addRun(run)
  change.set({ title: change.chat.title ?? titleOf(text), due_at: ctx.now })
  change.finish()
  ctx.tx.wake('chats', { isAwaited: true })
  return { chat: change.chat, run }
}

function newRun(ctx: CallContext, chat: ChatRow): RunRow {
  const { now } = ctx
  return {
    id: ctx.newId('run'),
    chat_id: chat.id,
    follows: chat.position,
    message_id: ctx.newId('msg'),
    key_id: keyOf(ctx),
    status: 'queued',
    queued_at: now,
    stop_asked_at: null,
    step: 0,
    tokens: 0n,
    calls: [],
    answer_id: null,
    ended_because: null,
    created_at: now,
    updated_at: now,
    ended_at: null,
  }
}

/** Chats are written by keys alone, and the run acts for the one that wrote. */
function keyOf({ keyId }: CallContext): Id<'key'> {
  if (keyId === null) throw new Problem('unauthorized')
  return keyId
}
