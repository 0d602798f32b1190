import type { IdSource } from '../../../core/id.ts'
import type { StepContext } from '../../../platform/work/work.ts'
import type { ChatRow } from '../chat.ts'
import { type ClaimedChat, selectChat } from '../chats.sql.ts'
import type { RunRow } from '../run.ts'
import { selectOpenRuns, selectPurchases } from '../runs.sql.ts'
import { actingIn } from './acting.ts'
import { isNews, standingOf } from './answer-parts.ts'
import type { RunnerDeps } from './means.ts'
import { callTool } from './tools.ts'

/**
 * The runs whose purchases have changed since they were told of. An event wakes only a run that waits: what changes after the purchase was
 * read, and before the run waits, wakes nobody. It is looked for once the run waits.
 */
export async function missedRuns(
  ctx: StepContext,
  { account_id, mode, id }: ClaimedChat,
  deps: RunnerDeps,
): Promise<ReadonlySet<string>> {
  const of = { account_id, mode, chat_id: id }
  const runs = await ctx.reads.rows(selectOpenRuns(of))
  const chat = await ctx.reads.maybe(selectChat({ ...of, id }))
  const missed = new Set<string>()
  for (const run of runs)
    if (chat && run.status === 'waiting' && (await hasNews(ctx, chat, run, deps))) missed.add(run.id)
  return missed
}

async function hasNews(
  ctx: StepContext,
  chat: ChatRow,
  run: RunRow,
  { means, dispatch }: RunnerDeps,
): Promise<boolean> {
  const { reads, tenant, scopeCatalog: scopes, signal } = ctx
  const acting = await actingIn(reads, { tenant, chat, keyId: run.key_id, scopes })
  // Nobody may look: whatever happens next ends the run.
  if (typeof acting === 'string') return false
  const { accountId: account_id, mode } = tenant
  const purchases = await reads.rows(selectPurchases({ account_id, mode, run_id: run.id }))
  for (const { purchase_intent_id, told, is_over } of purchases) {
    if (is_over) continue
    const call = { id: 'missed', name: 'v1_get_purchase_intent', args: { purchase_intent_id } }
    const { tools, refusalBody } = means
    const newId: IdSource = (prefix) => ctx.newId(prefix)
    const key = `${run.id}:${call.id}`
    const answer = await callTool(acting, call, { tools, dispatch, newId, signal, refusalBody, key })
    if (!answer.isError && isNews(standingOf(answer.result), told)) return true
  }
  return false
}
