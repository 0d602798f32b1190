import type { ActingContext } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import type { QuoteRow } from './quote.ts'
import { changeQuote } from './write-quote.ts'

/** Gives a locked quote, whose offer can be accepted, to the purchase that is made in the same transaction. */
export function orderQuote(
  ctx: ActingContext,
  row: QuoteRow,
  taken: { offerId: string; intentId: Id<'pi'> },
): void {
  const changes = {
    status: 'ordered',
    accepted_offer_id: taken.offerId,
    purchase_intent_id: taken.intentId,
    due_at: null,
  } as const
  changeQuote(ctx, row, changes, 'quote.ordered')
}
