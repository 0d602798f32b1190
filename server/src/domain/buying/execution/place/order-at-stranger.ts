import { toWire } from '../../../../core/money.ts'
import { derivedId } from '../../../../platform/ids/derived-id.ts'
import { lineAmount } from '../../../selling/pricing/public.ts'
import type { LineItem, OrderAddress } from '../../../trade/orders/public.ts'
import type { Buyer, OfferLine } from '../../channels/public.ts'
import { buyerOf } from '../buyer-of.ts'
import { type CartState, changeCart, type Turn, wayOf, withWrite } from '../cart-state.ts'
import { paidByRequest, paidOffer } from '../requests.ts'

/** A cart that was bought at a stranger has an order here. What a paid request buys is its answer, and nothing follows. */
export function lacksStrangerOrder(state: CartState): boolean {
  const { status, order_row_id, channel } = state.cart
  return (
    status === 'succeeded' && order_row_id === null && channel !== paidByRequest && wayOf(state).hasStrangers
  )
}

/** The buyer reads the order like any other, and the stranger's messages follow it. */
export function orderAtStranger(state: CartState): Turn {
  const { cart, intent } = state
  const { channel, attempt_number: attempt } = cart
  if (channel === 'native' || channel === 'simulated' || channel === paidByRequest)
    throw new Error(`${channel} is no way of buying at strangers`)
  const { offer, hold } = paidOffer(state)
  const { name, email, phone, shipTo } = buyerOf(intent)
  // The same after a restore from a backup, as that of every order.
  const id = derivedId('ord', cart.id, attempt)
  const { subtotal, fulfillment, tax, discount, toldAs } = offer
  const order = {
    id,
    channel,
    merchant: { name: cart.merchant_name, domain: cart.merchant_domain },
    purchase: { intentId: intent.id, cartId: cart.id, attempt },
    reference: cart.order_id,
    url: cart.order_url,
    isCaptured: hold.status === 'captured',
    currency: cart.currency,
    lineItems: cart.items.map((item) =>
      lineItemOf(
        item,
        offer.lines.find(({ itemId }) => itemId === item.id),
      ),
    ),
    amounts: { subtotal, fulfillment, tax, discount },
    customer: { name, email, phone },
    shippingAddress: shipTo && addressOf(shipTo),
  }
  return {
    state: withWrite(changeCart(state, { order_row_id: id }), { kind: 'stranger_order', order, toldAs }),
  }
}

function lineItemOf({ url }: { url: string }, line: OfferLine | undefined): LineItem {
  if (!line) throw new Error('an item without a line of its offer')
  return {
    catalog_item_id: null,
    catalog_variant_id: null,
    sku: null,
    title: line.title ?? url,
    url,
    quantity: line.quantity,
    unit_amount: toWire(line.unitAmount),
    amount: toWire(lineAmount(line)),
  }
}

function addressOf(to: NonNullable<Buyer['shipTo']>): OrderAddress {
  return {
    recipient_name: to.recipientName,
    line1: to.line1,
    line2: to.line2,
    city: to.city,
    state: to.state,
    postal_code: to.postalCode,
    country: to.country,
  }
}
