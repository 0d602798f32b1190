import type { ActingContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import type { Id } from '../../../core/id.ts'
import { missingInputs } from '../../selling/catalog/public.ts'
import { sendAtOnce } from '../../webhooks/destinations/public.ts'
import { ownerOf, type Quote, type QuoteRow, renderQuote, renderRequest } from './quote.ts'
import { insertQuote, updateQuote } from './quotes.sql.ts'
import type { Target } from './resolve-target.ts'

/** How many seconds a caller waits for the merchant, and the request is tried. */
export const windowSeconds = 10
/** How many minutes a merchant has to answer at all. */
const answerMinutes = 15

/** The columns that an answer sets, before any answer. */
export const unanswered = {
  offers: [],
  required_inputs: [],
  message: null,
  responded_at: null,
  responded_by_type: null,
  responded_by_id: null,
  failure: null,
  expires_at: null,
} as const satisfies Partial<QuoteRow>

type Asked = { readonly row: QuoteRow; readonly quote: Quote }

/**
 * Queues the next round of a quote, new (`isNew`) or locked: the row, `quote.requested`, and its delivery to the merchant's designated
 * responder alone. Where inputs are missing that the item requires, the merchant is not asked; the quote names them. It fails like a
 * serialization failure where the responder is no longer the one that was found with the target.
 */
export function askMerchant(
  ctx: ActingContext,
  row: QuoteRow,
  { item, merchant, responderId }: Target,
  { isNew }: { isNew: boolean },
): Asked {
  if (responderId === null) throw new Problem('responder_not_configured')
  const missing = missingInputs(item?.required_inputs ?? [], row.inputs)
  const seq = row.seq + 1
  const base = { ...row, ...unanswered, offers: [], required_inputs: missing, seq, updated_at: ctx.now }
  const eventId = ctx.newId('evt')
  const next: QuoteRow =
    missing.length > 0
      ? { ...base, status: 'requires_input', due_at: null }
      : { ...base, ...nextRound(ctx, row, { eventId, destinationId: responderId }) }
  ctx.tx.write(isNew ? insertQuote(next) : updateQuote(next))
  const quote = renderQuote(next)
  const isAsked = next.status === 'pending'
  if (isAsked) {
    sendAtOnce(ctx, {
      tenant: { accountId: merchant.account_id, mode: row.mode },
      destinationId: responderId,
      event: {
        id: eventId,
        accountId: row.account_id,
        type: 'quote.requested',
        aggregateId: row.id,
        sequence: seq,
      },
    })
  }
  ctx.tx.emit({
    id: eventId,
    type: isAsked ? 'quote.requested' : 'quote.requires_input',
    aggregateId: row.id,
    sequence: seq,
    object: quote,
    tenant: ownerOf(row),
    lane: 'interactive',
    ...(isAsked
      ? { recipient: { accountId: merchant.account_id, data: { quote: renderRequest(next) } } }
      : {}),
  })
  return { row: next, quote }
}

function nextRound(
  ctx: ActingContext,
  row: QuoteRow,
  asked: { eventId: Id<'evt'>; destinationId: Id<'dest'> },
): Partial<QuoteRow> & Pick<QuoteRow, 'status'> {
  const nowMs = ctx.now.getTime()
  return {
    status: 'pending',
    round: row.round + 1,
    requested_event_id: asked.eventId,
    destination_id: asked.destinationId,
    requested_at: ctx.now,
    deadline_at: new Date(nowMs + windowSeconds * 1000),
    due_at: new Date(nowMs + answerMinutes * 60_000),
  }
}
