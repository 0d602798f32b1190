import Type, { type Static } from 'typebox'
import { Closed, IdOf, Named, Nullable, OneOf, Timestamp } from '../../contract/schemas.ts'
import { Cart } from './cart.ts'
import { type CartEventObject, intentEventTypes } from './change-intent.ts'
import { PurchaseIntent } from './intent.ts'
import type { IntentEventRow } from './intent-events.sql.ts'

export const PurchaseIntentEvent = Named(
  'PurchaseIntentEvent',
  Closed({
    id: IdOf('evt'),
    object: Type.Literal('event'),
    type: OneOf(intentEventTypes as [string, ...string[]]), // the list is not empty
    sequence: Type.Integer({ minimum: 1, description: 'Without gaps per purchase intent.' }),
    created_at: Timestamp,
    purchase_intent_id: IdOf('pi'),
    cart_id: Type.Optional(IdOf('cart')),
    actor: Closed({ type: Type.String(), id: Nullable(Type.String()) }),
    data: Closed(
      { purchase_intent: Type.Optional(PurchaseIntent), cart: Type.Optional(Cart) },
      { description: 'Right after the event: the purchase intent, or with `cart.*` the cart.' },
    ),
  }),
)
export type PurchaseIntentEvent = Static<typeof PurchaseIntentEvent>

export function renderIntentEvent(row: IntentEventRow): PurchaseIntentEvent {
  return {
    id: row.id,
    object: 'event',
    type: row.type,
    sequence: row.sequence,
    created_at: row.created_at.toISOString(),
    purchase_intent_id: row.aggregate_id,
    ...(row.cart_id ? { cart_id: row.cart_id } : {}),
    actor: { type: row.actor_type, id: row.actor_id },
    data: dataOf(row),
  }
}

/** Both kinds of objects were written by `changeIntent` or by create. */
function dataOf({ type, object }: IntentEventRow): PurchaseIntentEvent['data'] {
  if (!type.startsWith('cart.')) return { purchase_intent: JSON.parse(object) as PurchaseIntent }
  const [cart] = (JSON.parse(object) as CartEventObject).carts
  return cart ? { cart } : {}
}
