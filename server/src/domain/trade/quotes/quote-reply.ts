import type { CallContext } from '../../../contract/context.ts'
import { type Reply, type ReplyHeader, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { hasOnlyRefusedAnswers } from '../../webhooks/destinations/public.ts'
import { type Quote, type QuoteRow, renderQuote } from './quote.ts'
import { selectAnsweredQuote, selectQuote } from './quotes.sql.ts'
import { windowSeconds } from './request-quote.ts'

const retryAfterSeconds = 2

/** What the answers to a request for a price mean, where the merchant has not named one. */
export const waitingAnswers = {
  202: 'The merchant has not answered within ten seconds. Read the quote at `Location` after `Retry-After` seconds.',
  422:
    'With a quote as the body: the merchant needs `required_inputs` first, so refresh this quote with them. ' +
    'With `detail`: the request does not match its schema.',
}

/** The document's text about the headers of operations that wait. */
export const waitingHeaders = {
  200: ['Location', 'Cache-Control'],
  201: ['Location', 'Cache-Control'],
  202: ['Location', 'Cache-Control', 'Retry-After'],
  422: ['Optional-Location', 'Optional-Cache-Control'],
  502: ['Location', 'Cache-Control'],
} as const satisfies Record<number, readonly ReplyHeader[]>

/** The document's text about the headers of reading a quote. */
export const readingHeaders = {
  200: ['Location', 'Cache-Control', 'Optional-Retry-After'],
} as const satisfies Record<number, readonly ReplyHeader[]>

type Quoting = Pick<CallContext, 'tenant' | 'now' | 'reads' | 'settings' | 'waitFor'>

/** Headers of every reply that shows a quote. */
export function quoteHeaders(
  ctx: Quoting,
  { id, status }: Pick<Quote, 'id' | 'status'>,
): Record<string, string> {
  return {
    location: `${ctx.settings.publicUrl}/v1/quotes/${id}`,
    'cache-control': 'private, no-store',
    ...(status === 'pending' ? { 'retry-after': String(retryAfterSeconds) } : {}),
  }
}

/** The reply of a quote to a caller that waited for it, by its status; `done` where it is resolved. */
function quoteReply<const Done extends 200 | 201>(
  ctx: Quoting,
  quote: Quote,
  done: Done,
): Reply<Done | 202 | 422, Quote> | Problem {
  const headers = quoteHeaders(ctx, quote)
  switch (quote.status) {
    case 'pending':
      return reply(202, quote, { headers })
    case 'requires_input':
      return reply(422, quote, { headers })
    case 'failed':
      return new Problem('responder_failed', { headers })
    default:
      return reply(done, quote, { headers })
  }
}

type Waiting = Quoting & Pick<CallContext, 'signal'>

/**
 * Waits for the rest of the merchant's ten seconds, holding no connection, and answers with the quote as it is then. The process that
 * accepts the merchant's answer wakes this one by a hint. `isFresh` for a round that this call has just committed.
 */
export async function awaitedReply<const Done extends 200 | 201>(
  ctx: Waiting,
  row: QuoteRow,
  how: { done: Done; isFresh?: boolean },
): Promise<Reply<Done | 202 | 422, Quote> | Problem> {
  const then = row.status === 'pending' ? await awaitAnswer(ctx, row, how.isFresh ?? false) : row
  const quote = renderQuote(then)
  if (then.status === 'pending' && !ctx.signal().aborted && (await isOnlyRefused(ctx, then)))
    return new Problem('responder_failed', { headers: quoteHeaders(ctx, { ...quote, status: 'failed' }) })
  return quoteReply(ctx, quote, how.done)
}

async function awaitAnswer(ctx: Quoting, row: QuoteRow, isFresh: boolean): Promise<QuoteRow> {
  const key = { account_id: row.account_id, mode: row.mode, id: row.id }
  const leftMs = (row.deadline_at?.getTime() ?? 0) - ctx.now.getTime()
  const waitMs = Math.max(0, Math.min(windowSeconds * 1000, leftMs))
  const probe = async () =>
    selectAnsweredQuote.read(await ctx.reads.rows(selectAnsweredQuote(key))).quotes[0] ?? null
  const answered = await ctx.waitFor(row.id, waitMs, probe, { isFresh })
  // It may have been answered, and the merchant asked again, between two looks.
  return answered ?? (await ctx.reads.maybe(selectQuote(key))) ?? row
}

/** Whether answers arrived and all were refused: the merchant may still send a better one, but callers need not wait for it. */
async function isOnlyRefused(ctx: Quoting, row: QuoteRow): Promise<boolean> {
  const {
    merchant_account_id: accountId,
    mode,
    destination_id: destinationId,
    requested_event_id: eventId,
  } = row
  if (destinationId === null || eventId === null) return false
  return hasOnlyRefusedAnswers(ctx.reads, { accountId, mode, destinationId, eventId })
}

/** The reply to a request that was made before: it joins the rest of the wait, with a place of its own. */
export async function currentReply<const Done extends 200 | 201>(
  ctx: Waiting & Pick<CallContext, 'hold'>,
  quoteId: string,
  done: Done,
): Promise<Reply<Done | 202 | 422, Quote>> {
  const { accountId, mode } = ctx.tenant
  const row = await ctx.reads.maybe(selectQuote({ account_id: accountId, mode, id: quoteId }))
  if (!row) throw new Problem('not_found', { param: 'quote_id' })
  if (row.status === 'pending') ctx.hold('quoteWaits')
  const answered = await awaitedReply(ctx, row, { done })
  if (answered instanceof Problem) throw answered
  return answered
}
