import type { CartRow, LoadedIntent } from '../intents/public.ts'
import { effectKey, offerOf } from './journal.ts'
import type { LockedCart } from './locked-cart.ts'
import { orderIdScheme } from './order-ids.ts'
import type { ChannelItem, OfferRequest, PlaceRequest, ShipTo } from './port.ts'

type Intent = LoadedIntent['intent']

/** A cart as its way of buying is asked for an offer. */
export function offerRequest(intent: Intent, cart: CartRow): OfferRequest {
  return {
    // Of the attempt: a shop that failed one attempt may be asked again in the next.
    cartKey: `${cart.id}:${cart.attempt_number}`,
    profileId: intent.profile_id,
    merchantDomain: cart.merchant_domain,
    merchantAccountId: cart.merchant_account_id,
    items: itemsOf(intent, cart),
    currency: cart.currency,
    fulfillment: {
      method: intent.fulfillment.method,
      speed: intent.fulfillment.speed,
      feeAllowance: cart.fee_allowance,
    },
    shipTo: shipToOf(intent),
  }
}

/** The order for exactly the offer that the money was taken for. */
export function placeRequest(locked: LockedCart): PlaceRequest {
  const { intent, cart } = locked
  const pay =
    locked.effect('issue_credential', cart.attempt_number) ?? locked.effect('authorize', cart.attempt_number)
  const hold = locked.hold(cart.attempt_number)
  if (!pay?.request.offer || !hold) throw new Error('an order without money for it')
  return {
    key: effectKey(cart.id, cart.attempt_number, 'place'),
    intentId: intent.id,
    cartId: cart.id,
    attempt: cart.attempt_number,
    idScheme: orderIdScheme(cart, locked.effects),
    merchantAccountId: cart.merchant_account_id,
    merchantDomain: cart.merchant_domain,
    merchantName: cart.merchant_name,
    items: itemsOf(intent, cart),
    offer: offerOf(pay.request.offer),
    fulfillment: { method: intent.fulfillment.method },
    shipTo: shipToOf(intent),
    profileId: intent.profile_id,
    credential: hold.kind === 'credential' ? hold.reference : null,
    reference: referenceOf(intent, cart),
  }
}

/** Shows in the records of the rail and of shops: whose money it is. */
export function referenceOf(intent: Intent, cart: CartRow): string {
  return `${intent.id}/${cart.id}`
}

function itemsOf(intent: Intent, cart: CartRow): ChannelItem[] {
  return cart.items.map((item) => {
    // What the buyer said at first: the cart's own amount follows the price that was approved since.
    const said = intent.items.find(({ id }) => id === item.id)
    if (!said) throw new Error('a cart with an item that its intent has not')
    return {
      id: item.id,
      url: item.url,
      quantity: item.quantity,
      unitAmount: BigInt(said.unit_amount),
      quoteId: said.quote_id,
      soldBy: said,
      variant: said.variant,
    }
  })
}

/** The last look before money moves: what is shipped is shipped to somebody, or was made before that was a rule. */
export function assertHasSomewhereToGo({
  ship_to,
  fulfillment,
}: Pick<Intent, 'ship_to' | 'fulfillment'>): void {
  if (ship_to === 'awaited' || (ship_to === 'frozen' && !fulfillment.address))
    throw new Error('what is shipped to nobody was about to be paid for')
}

function shipToOf(intent: Intent): ShipTo | null {
  const { address } = intent.fulfillment
  if (!address) return null
  return {
    recipientName: address.recipient_name,
    line1: address.line1,
    line2: address.line2,
    city: address.city,
    state: address.state,
    postalCode: address.postal_code,
    country: address.country,
  }
}
