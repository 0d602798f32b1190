import { derivedId } from '../../../../platform/ids/derived-id.ts'
import { lineAmount } from '../../../selling/pricing/public.ts'
import type { LineItem, OrderAddress } from '../../../trade/orders/public.ts'
import { placeStrangerOrder } from '../../../trade/orders/public.ts'
import { followOrder } from '../../stranger-orders/public.ts'
import type { Means } from '../channels.ts'
import type { LockedCart } from '../locked-cart.ts'
import type { Buyer, OfferLine } from '../port.ts'
import { paidByRequest, paidOffer } from '../requests.ts'

/** A cart that was bought at a stranger has an order here, which its buyer reads like any other, and which the stranger's messages follow. */
export async function placeAtStranger(
  locked: LockedCart,
  { hasStrangers }: Pick<Means['way'], 'hasStrangers'>,
): Promise<void> {
  const { cart, ctx, intent } = locked
  const { channel } = cart
  // What a paid request buys is its answer, and nothing follows.
  if (!hasStrangers || cart.order_row_id !== null || channel === paidByRequest) return
  if (channel === 'native' || channel === 'simulated')
    throw new Error(`${channel} is no way of buying at strangers`)
  const attempt = cart.attempt_number
  const { offer, hold } = paidOffer(locked)
  const { name, email, phone, shipTo } = await locked.buyer()
  // The same after a restore from a backup, as that of every order.
  const id = derivedId('ord', cart.id, attempt)
  const { subtotal, fulfillment, tax, discount } = offer
  placeStrangerOrder(ctx, {
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
  })
  locked.change({ order_row_id: id })
  if (offer.toldAs) await followOrder(ctx, { orderId: id, toldAs: offer.toldAs })
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
    unit_amount: Number(line.unitAmount),
    amount: Number(lineAmount(line)),
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
