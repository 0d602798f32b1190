import type { ActingContext } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import type { QuoteAsRead } from './quote.ts'
import { writeQuote } from './write-quote.ts'

/** Assigns a locked quote, whose offer can be accepted, to the purchase that is made in the same transaction. */
export function orderQuote(
  ctx: ActingContext,
  row: QuoteAsRead,
  taken: { offerId: string; intentId: Id<'pi'> },
): void {
  const changes = {
    status: 'ordered',
    accepted_offer_id: taken.offerId,
    purchase_intent_id: taken.intentId,
    due_at: null,
  } as const
  writeQuote(ctx, row, changes, 'quote.ordered')
}
