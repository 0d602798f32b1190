import type { CallContext } from '../../../contract/context.ts'
import { type ChatEventRow, selectChatEvents, selectChatProgress } from '../chat-events.sql.ts'

/** An event of a chat as streams take it; `beat`: nothing has happened for a while; `expired`: the events after the cursor are gone. */
export type Followed =
  | { readonly kind: 'event'; readonly row: ChatEventRow }
  | { readonly kind: 'beat' }
  | { readonly kind: 'expired' }

type Following = {
  readonly chatId: string
  readonly after: bigint
  /** Only this run, until it is done; null: everything, until nothing is under way. */
  readonly runId: string | null
}

const heartbeatMs = 15_000
/** A hint that was lost is made up for after so many heartbeats. To look at each would be nearly all that an idle stream costs. */
const beatsBetweenLooks = 8
const pageRows = 200

/** Every event after a position, as it is committed: each once, and in order. */
export async function* followChat(
  ctx: CallContext,
  { chatId, after, runId }: Following,
): AsyncGenerator<Followed> {
  const { accountId: account_id, mode } = ctx.tenant
  const of = { account_id, mode, chat_id: chatId }
  const watch = ctx.watch(chatId)
  let last = after
  // Streams that were opened together get different times, so that they do not look together.
  let beatAtMs = (heartbeatMs * ((ctx.random(1)[0] ?? 0) + 1)) / 256
  try {
    for (;;) {
      const progress = await ctx.reads.maybe(selectChatProgress({ ...of, run_id: runId }))
      if (ctx.signal().aborted || !progress) return
      if (progress.position > last) {
        const rows = await ctx.reads.rows(selectChatEvents({ ...of, after: last, limit: pageRows }))
        // guard gone-events-are-told: who asks for what is deleted is told to read the messages
        if (rows[0]?.position !== last + 1n) return void (yield { kind: 'expired' })
        for (const row of rows) {
          last = row.position
          if (runId !== null && row.run_id !== runId) continue
          yield { kind: 'event', row }
          if (runId !== null && row.type === 'done') return
        }
        continue
      }
      if (runId === null ? !progress.is_busy && !progress.is_waiting : progress.is_run_done) return
      for (let beats = 0; beats < beatsBetweenLooks; beats++) {
        const hasHappened = await watch.next(beatAtMs - watch.elapsedMs())
        if (ctx.signal().aborted) return
        if (hasHappened) break
        beatAtMs = watch.elapsedMs() + heartbeatMs
        yield { kind: 'beat' }
      }
    }
  } finally {
    watch.close()
  }
}
