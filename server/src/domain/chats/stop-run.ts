import { defineOperation, reply } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { Closed, IdParam } from '../../contract/schemas.ts'
import { ChatChange } from './chat-change.ts'
import { lockedChat } from './get-chats.ts'
import { ChatRun, isOver, renderRun } from './run.ts'
import { selectRun } from './runs.sql.ts'

export const stopChatRun = defineOperation({
  id: 'v1_stop_chat_run',
  method: 'POST',
  path: '/v1/chats/{chat_id}/runs/{run_id}/stop',
  auth: 'secret',
  scope: 'chats:write',
  forBound: 'served',
  surfaces: ['v1'],
  tag: 'Chats',
  summary: 'Stop a run of a chat',
  description:
    'It says nothing more, and begins nothing more; what it has said stays. A purchase that it has made goes on: cancel that by itself. ' +
    'To close a stream stops nothing.',
  params: Closed({ chat_id: IdParam('The chat.', 'chat'), run_id: IdParam('The run.', 'run') }),
  responses: { 200: ChatRun },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    const { accountId: account_id, mode } = ctx.tenant
    const chat = await lockedChat(ctx, path.chat_id)
    const run = await ctx.tx.maybe(selectRun({ account_id, mode, id: path.run_id }))
    if (!run || run.chat_id !== chat.id) throw new Problem('not_found', { param: 'run_id' })
    if (isOver(run)) return reply(200, renderRun(run, ctx.tenant))
    const change = new ChatChange(ctx, chat)
    const asked = { ...run, stop_asked_at: run.stop_asked_at ?? ctx.now }
    // One that runs is ended by its worker, which has to finish what it does at this moment.
    const isRunning = run.status === 'running'
    const ended = { ...asked, status: 'stopped' as const, ended_because: 'stopped', ended_at: ctx.now }
    if (isRunning) change.updateRun(asked)
    else change.endRun(ended)
    change.set({ due_at: ctx.now })
    change.finish()
    ctx.tx.wake('chats', { isAwaited: true })
    return reply(200, renderRun(isRunning ? asked : ended, ctx.tenant))
  },
})
