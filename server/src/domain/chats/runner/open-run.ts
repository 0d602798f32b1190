import type { StepContext } from '../../../platform/work/work.ts'
import type { ChatRow } from '../chat.ts'
import { type ClaimedChat, selectChat } from '../chats.sql.ts'
import type { MessageRow } from '../message.ts'
import { selectLastMessages, selectMessage } from '../messages.sql.ts'
import type { RunRow } from '../run.ts'
import { selectOpenRuns, selectPurchases } from '../runs.sql.ts'

/** What a worker knows of the run that has its turn. */
export type OpenRun = {
  readonly chat: ChatRow
  readonly run: RunRow
  readonly messages: readonly MessageRow[]
  /** What it answers, wherever that stands. */
  readonly wish: MessageRow
  /** The message that it is writing. */
  readonly answer: MessageRow | null
  /** The place in it of a text that may go on. */
  readonly unfinishedText: number | null
  readonly purchases: Awaited<ReturnType<typeof purchasesOf>>
}

type OfChat = Pick<ClaimedChat, 'account_id' | 'mode'> & { chat_id: string }

/** The run whose turn it is; null: there is none. `messagesMax`: so much of the chat is read to answer it. */
export async function openRun(
  ctx: StepContext,
  claimed: ClaimedChat,
  messagesMax: number,
): Promise<OpenRun | null> {
  const of = { account_id: claimed.account_id, mode: claimed.mode, chat_id: claimed.id }
  const [chat, runs] = await Promise.all([
    ctx.reads.maybe(selectChat({ ...of, id: claimed.id })),
    ctx.reads.rows(selectOpenRuns(of)),
  ])
  const run = runs[0]
  if (!chat || run === undefined || run.status === 'waiting') return null
  const newest = await ctx.reads.rows(selectLastMessages({ ...of, limit: messagesMax }))
  const messages = newest.toReversed().filter((message) => isBefore(message, run, runs))
  const wish = messages.find(({ id }) => id === run.message_id) ?? (await wishOf(ctx, of, run))
  const answer = messages.find(({ id }) => id === run.answer_id) ?? null
  const purchases = await purchasesOf(ctx, claimed, run)
  return { chat, run, messages, wish, answer, unfinishedText: unfinishedIn(answer), purchases }
}

/** Whoever ends a text writes in the same transaction what follows it, or that the message is complete. */
function unfinishedIn(answer: MessageRow | null): number | null {
  return answer?.parts.at(-1)?.type === 'text' ? answer.parts.length - 1 : null
}

/** What others have written meanwhile is answered later, and is not read yet. */
function isBefore(message: MessageRow, run: RunRow, runs: readonly RunRow[]): boolean {
  return (
    message.run_id === run.id || !runs.some(({ id, status }) => id === message.run_id && status === 'queued')
  )
}

async function wishOf(ctx: StepContext, of: OfChat, run: RunRow): Promise<MessageRow> {
  const wish = await ctx.reads.maybe(selectMessage({ ...of, id: run.message_id }))
  if (!wish) throw new Error(`run ${run.id} answers a message that is not there`)
  return wish
}

function purchasesOf(ctx: StepContext, { account_id, mode }: ClaimedChat, run: RunRow) {
  return run.step === 0
    ? Promise.resolve([])
    : ctx.reads.rows(selectPurchases({ account_id, mode, run_id: run.id }))
}
