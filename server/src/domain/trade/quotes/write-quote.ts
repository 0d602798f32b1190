import type { ActingContext } from '../../../contract/context.ts'
import type { QuoteEventType } from './events.ts'
import { ownerOf, type Quote, type QuoteRow, renderQuote } from './quote.ts'
import { type QuoteWrite, updateQuote } from './quotes.sql.ts'

/** A row as its statements take it. */
export function writeOf(row: QuoteRow): QuoteWrite {
  return {
    ...row,
    merchant_identity: row.merchant_identity && JSON.stringify(row.merchant_identity),
    items: JSON.stringify(row.items),
    ship_to: row.ship_to && JSON.stringify(row.ship_to),
    price_proposal: row.price_proposal && JSON.stringify(row.price_proposal),
    inputs: JSON.stringify(row.inputs),
    metadata: JSON.stringify(row.metadata),
    offers: JSON.stringify(row.offers),
    required_inputs: JSON.stringify(row.required_inputs),
  }
}

/** Writes a locked quote's changes and their event, which belongs to the buyer's account, whoever acts. */
export function changeQuote(
  ctx: Pick<ActingContext, 'tx' | 'now'>,
  row: QuoteRow,
  changes: Partial<QuoteRow>,
  type: QuoteEventType,
): { row: QuoteRow; quote: Quote } {
  const changed: QuoteRow = { ...row, ...changes, seq: row.seq + 1, updated_at: ctx.now }
  const quote = renderQuote(changed)
  ctx.tx.write(updateQuote(writeOf(changed)))
  ctx.tx.emit({
    type,
    aggregateId: row.id,
    sequence: changed.seq,
    object: quote,
    tenant: ownerOf(row),
    lane: 'interactive',
  })
  return { row: changed, quote }
}
