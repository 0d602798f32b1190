import Type, { type Static } from 'typebox'
import { shownActor } from '../../../contract/actor.ts'
import { At, Closed, Described, IdOf, Named, Nullable, OneOf } from '../../../contract/schemas.ts'
import { unpackText } from '../../../platform/events/packed-text.ts'
import { Cart } from './cart.ts'
import { type CartEventObject, cartEvents, intentEvents } from './events.ts'
import { PurchaseIntent } from './intent.ts'
import type { IntentEventRow } from './read/intent-events.sql.ts'

export const PurchaseIntentEvent = Named(
  'PurchaseIntentEvent',
  Closed(
    {
      id: IdOf('evt', 'The id of the event.'),
      object: Type.Literal('event', { description: 'The type of this object.' }),
      type: OneOf([...Object.keys(intentEvents), ...Object.keys(cartEvents)], {
        description: 'What happened. More types may be added.',
      }),
      sequence: Type.Integer({
        minimum: 1,
        description: 'Its place among the events of this purchase, from 1 and without gaps.',
      }),
      created_at: At('When it happened.'),
      purchase_intent_id: IdOf('pi', 'The purchase intent.'),
      cart_id: Type.Optional(IdOf('cart', 'The cart it is about, with `cart.*`.')),
      actor: Closed(
        {
          type: Type.String({ description: 'What kind of actor.' }),
          id: Nullable(Type.String({ description: 'The id of the actor.' })),
          for: Type.Optional(Type.String({ description: 'With a chat, the agent that it acts for.' })),
        },
        { description: 'Who caused it.' },
      ),
      data: Closed(
        {
          purchase_intent: Type.Optional(
            Described(PurchaseIntent, 'The purchase intent right after the event.'),
          ),
          cart: Type.Optional(Described(Cart, 'The cart right after the event.')),
        },
        { description: 'What it looked like right after: the purchase intent, or with `cart.*` the cart.' },
      ),
    },
    { description: 'Something that happened to a purchase.' },
  ),
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
    actor: shownActor(row.actor_type, row.actor_id),
    data: dataOf(row),
  }
}

/** Both kinds of objects were written by `changeIntent` or by create. */
function dataOf({ type, object_bytes }: IntentEventRow): PurchaseIntentEvent['data'] {
  const object = unpackText(object_bytes)
  if (!type.startsWith('cart.')) return { purchase_intent: JSON.parse(object) as PurchaseIntent }
  const [cart] = (JSON.parse(object) as CartEventObject).carts
  return cart ? { cart } : {}
}
