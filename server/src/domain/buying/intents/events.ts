import { defineEvent, type TypesOf } from '../../../contract/event.ts'
import { Described, IdOf, Nullable } from '../../../contract/schemas.ts'
import { Cart } from './cart.ts'
import { PurchaseIntent } from './intent.ts'

/**
 * What a cart's event keeps. A purchase of a hundred carts has hundreds of these events, and each with all carts would take half a
 * megabyte.
 */
export type CartEventObject = Pick<PurchaseIntent, 'id' | 'status' | 'carts'>

const defineIntent = defineEvent<PurchaseIntent>()
const defineCart = defineEvent<CartEventObject>()
const intentEvent = (summary: string) => defineIntent({ summary, buyer: { purchase_intent: PurchaseIntent } })
const cartEvent = (summary: string) =>
  defineCart({
    summary,
    buyer: {
      purchase_intent_id: IdOf('pi', 'The purchase intent of the cart.'),
      cart: Nullable(Described(Cart, 'The cart right after the event.')),
    },
    buyerData: cartData,
  })

/** What can happen to a purchase intent. */
export const intentEvents = {
  'purchase_intent.created': intentEvent('A purchase intent was created.'),
  'purchase_intent.awaiting_approval': intentEvent(
    'A purchase waits for an approval, or a payment of it for its person.',
  ),
  'purchase_intent.approved': intentEvent('A purchase was approved.'),
  'purchase_intent.declined': intentEvent('A purchase was declined.'),
  'purchase_intent.queued': intentEvent('A purchase is going to be carried out.'),
  'purchase_intent.started': intentEvent('The first cart of a purchase began.'),
  'purchase_intent.awaiting_merchant_auth': intentEvent(
    'A purchase waits for somebody to sign in at a merchant.',
  ),
  'purchase_intent.merchant_auth_submitted': intentEvent('Somebody signed in at a merchant.'),
  'purchase_intent.merchant_auth_failed': intentEvent('A merchant refused a sign-in.'),
  'purchase_intent.reapproval_required': intentEvent(
    'A purchase costs more than was approved, and waits for another approval.',
  ),
  'purchase_intent.retried': intentEvent('Failed carts of a purchase are tried again.'),
  'purchase_intent.cancelled': intentEvent('A purchase was cancelled.'),
  'purchase_intent.succeeded': intentEvent('All that could be bought of a purchase was bought.'),
  'purchase_intent.failed': intentEvent('Nothing of a purchase was bought.'),
  'purchase_intent.reconciled': intentEvent('A person said what became of a cart.'),
}

/** What can happen to one cart of a purchase. */
export const cartEvents = {
  'cart.created': cartEvent('A cart was made of what one merchant sells.'),
  'cart.started': cartEvent('A cart began.'),
  'cart.rerouted': cartEvent('Another way of buying was chosen for a cart.'),
  'cart.offer_updated': cartEvent('The merchant named a price for a cart.'),
  'cart.awaiting_merchant_auth': cartEvent('A cart waits for somebody to sign in at its merchant.'),
  'cart.input_required': cartEvent('The merchant of a cart must know more before it names a price.'),
  'cart.input_given': cartEvent('What the merchant of a cart must know was given.'),
  'cart.payment_authorized': cartEvent('The payment of a cart was authorized.'),
  'cart.order_placed': cartEvent('The order of a cart was placed.'),
  'cart.payment_captured': cartEvent('The payment of a cart was captured.'),
  'cart.hold_ending': cartEvent(
    'The hold on the card of the buyer ends in 24 or in 4 hours, and its money is still to be captured.',
  ),
  'cart.hold_settled': cartEvent(
    'Money whose hold came near its end was captured or released, or its hold has ended.',
  ),
  'cart.payment_refunded': cartEvent('A merchant gave back something of what it charged for a cart.'),
  'cart.succeeded': cartEvent('A cart was bought.'),
  'cart.failed': cartEvent('A cart was not bought.'),
  'cart.cancelled': cartEvent('A cart was cancelled.'),
}

function cartData({ carts: [cart] }: CartEventObject, intentId: string): Record<string, unknown> {
  return { purchase_intent_id: intentId, cart: cart ?? null }
}

declare module '../../../contract/event.ts' {
  interface Events extends TypesOf<typeof intentEvents>, TypesOf<typeof cartEvents> {}
}
