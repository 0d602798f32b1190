import Type from 'typebox'
import type { CallContext } from '../../../../contract/context.ts'
import { defineOperation, reply, type ServerSentEvent } from '../../../../contract/operation.ts'
import { totalCap } from '../../../../contract/page.ts'
import { invalid, Problem } from '../../../../contract/problem.ts'
import { Closed, IdParam, ListOf } from '../../../../contract/schemas.ts'
import { Ruled } from '../../../../schema/rules.ts'
import { PurchaseIntentEvent, renderIntentEvent } from '../intent-event.ts'
import { isTerminalIntent } from '../machine.ts'
import { type OfIntent, selectIntentEvents, selectIntentProgress } from './intent-events.sql.ts'

const limitDefault = 50
const limitMax = 200
const sequenceMax = 2_147_483_647

const heartbeatMs = 15_000

/** The most bytes that the objects of one read have together, so that no purchase is too large for our memory. */
const pageBytes = 4 * 1024 * 1024

const sequenceOnly = 'Last-Event-ID must be the sequence of an event'

export const listPurchaseIntentEvents = defineOperation({
  id: 'v1_list_purchase_intent_events',
  method: 'GET',
  path: '/v1/purchase_intents/{purchase_intent_id}/events',
  auth: 'secret',
  scope: 'purchase_intents:read',
  forBound: 'served',
  tag: 'Purchase intents',
  summary: 'List the events of a purchase intent, oldest first',
  description:
    'Use it to see step by step what happened. Send the `sequence` of the last event you have as `after` to get only newer ' +
    'ones. A page can hold fewer events than `limit`; `has_more` says whether more follow.',
  streams: true,
  params: Closed({ purchase_intent_id: IdParam('The purchase intent.', 'pi') }),
  query: Closed({
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: sequenceMax,
        default: 0,
        description: 'Only events with a higher `sequence`.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limitMax,
        default: limitDefault,
        description: 'The most events to return.',
      }),
    ),
  }),
  headers: Closed({
    last_event_id: Type.Optional(
      Ruled(
        Type.String({ maxLength: 255, description: 'Only for a stream: the last `sequence` received.' }),
        {
          sequenceOnly,
        },
      ),
    ),
  }),
  responses: { 200: ListOf(PurchaseIntentEvent, 'PurchaseIntentEventList') },
  answers: {
    200:
      'JSON by default. With `Accept: text/event-stream`, a stream: it starts after `Last-Event-ID` (or `after`), sends a comment every ' +
      '15 seconds, and ends when the purchase has ended. Connect again after a retry.',
  },
  problems: ['not_found'],
  async handle(ctx, { path, query, headers }) {
    const { accountId: account_id, mode } = ctx.tenant
    const of = { account_id, mode, intent_id: path.purchase_intent_id }
    const after = query.after ?? 0
    if (ctx.acceptsStream) {
      const from = headers.last_event_id === undefined ? after : readLastEventId(headers.last_event_id)
      // guard streams-at-once: an account opens so many streams
      ctx.hold('streams')
      if (!(await ctx.reads.maybe(selectIntentProgress(of)))) throw notFound()
      return { stream: follow(ctx, of, from) }
    }
    const limit = query.limit ?? limitDefault
    const [progress, rows] = await Promise.all([
      ctx.reads.maybe(selectIntentProgress(of)),
      ctx.reads.rows(selectIntentEvents({ ...of, after, limit, bytes: pageBytes })),
    ])
    if (!progress) throw notFound()
    // Sequences have no gaps, so the last sequence is the number of events.
    const counted = Math.max(0, progress.seq - after)
    return reply(200, {
      object: 'list' as const,
      data: rows.map(renderIntentEvent),
      total: Math.min(counted, totalCap),
      ...(counted > totalCap ? { total_capped: true as const } : {}),
      limit,
      offset: 0,
      has_more: (rows.at(-1)?.sequence ?? after) < progress.seq,
    })
  },
})

/**
 * Yields every event after `from`, as it is committed. It reads the events themselves, after a hint and with every heartbeat, since hints
 * may be lost; the relay has no part in it. It ends when the purchase has ended and everything was sent.
 */
async function* follow(ctx: CallContext, of: OfIntent, from: number): AsyncGenerator<ServerSentEvent> {
  const watch = ctx.watch(of.intent_id)
  let last = from
  // Streams that were opened together, as after a restart, get different times, so that they do not look together.
  let beatAtMs = heartbeatMs * (0.5 + (ctx.random(1)[0] ?? 0) / 512)
  try {
    for (;;) {
      const progress = await ctx.reads.maybe(selectIntentProgress(of))
      if (ctx.signal().aborted || progress === null) return
      const page = { after: last, limit: limitMax, bytes: pageBytes }
      const rows = progress.seq > last ? await ctx.reads.rows(selectIntentEvents({ ...of, ...page })) : []
      for (const row of rows) {
        yield { id: String(row.sequence), event: row.type, data: JSON.stringify(renderIntentEvent(row)) }
        last = row.sequence
      }
      if (last < progress.seq && rows.length > 0) continue
      if (isTerminalIntent(progress.status)) return
      const hasHappened = await watch.next(beatAtMs - watch.elapsedMs())
      if (ctx.signal().aborted) return
      if (hasHappened) continue
      yield { comment: 'heartbeat' }
      beatAtMs = watch.elapsedMs() + heartbeatMs
    }
  } finally {
    watch.close()
  }
}

function readLastEventId(text: string): number {
  const sequence = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (!(sequence <= sequenceMax)) throw invalid(['header', 'last-event-id'], sequenceOnly)
  return sequence
}

function notFound(): Problem {
  return new Problem('not_found', { param: 'purchase_intent_id' })
}
