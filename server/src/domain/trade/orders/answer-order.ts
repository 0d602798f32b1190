import type { ActingContext } from '../../../contract/context.ts'
import { type Taken, takeStock } from '../../selling/catalog/public.ts'
import type { OrderRow } from './order.ts'
import { changeOrder } from './write-order.ts'

/** What the merchant said. `digest` is of its bytes: the same answer again is no second one. */
type MerchantAnswer = {
  readonly outcome: 'confirmed' | 'rejected'
  readonly reservationReference: string | null
  readonly confirmationReference: string | null
  readonly note: string | null
  readonly digest: Buffer
}

/** Applies the accepted answer to a locked order of the merchant `ctx.tenant`, whose stock changes with it. */
export async function answerOrder(
  ctx: ActingContext,
  order: OrderRow,
  said: MerchantAnswer,
): Promise<OrderRow> {
  const isConfirmed = said.outcome === 'confirmed'
  const answer = {
    reservation_reference: said.reservationReference,
    confirmation_reference: said.confirmationReference,
    note: said.note,
    response_digest: said.digest,
    responded_by_type: ctx.actor.type,
    responded_by_id: ctx.actor.id,
    responded_at: ctx.now,
    due_at: null,
  }
  const { row } = isConfirmed
    ? changeOrder(ctx, order, { ...answer, status: 'confirmed' }, ['order.confirmed'])
    : changeOrder(ctx, order, { ...answer, status: 'rejected' }, ['order.rejected'])
  if (isConfirmed) await takeStock(ctx, ctx.tenant, takenBy(order))
  return row
}

function takenBy(order: OrderRow): Taken[] {
  return order.line_items.flatMap(({ catalog_item_id: itemId, catalog_variant_id: variantId, quantity }) =>
    itemId && variantId ? [{ itemId, variantId, quantity }] : [],
  )
}
