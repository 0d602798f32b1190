import type { IntentItem, LoadedCart, LoadedIntent } from '../intents/public.ts'
import { effectKey, type HoldRow, offerOf } from './journal.ts'
import type { LockedCart } from './locked-cart.ts'
import type { Buyer, ChannelItem, Offer, OfferRequest, PlaceRequest } from './port.ts'

type Intent = LoadedIntent['intent']

/** The request for an offer, as a cart's way of buying gets it. */
export function offerRequest(intent: Intent, cart: LoadedCart, buyer: Buyer): OfferRequest {
  return {
    cartKey: cartKeyOf(cart),
    buyer,
    merchantDomain: cart.merchant_domain,
    items: saidItems(intent, cart).map(channelItem),
    currency: cart.currency,
    fulfillment: {
      method: intent.fulfillment.method,
      speed: intent.fulfillment.speed,
      feeAllowance: cart.fee_allowance,
    },
  }
}

/** The order for exactly the offer that the money is held for. */
export function placeRequest(locked: LockedCart, buyer: Buyer): PlaceRequest {
  const { intent, cart } = locked
  const { offer, hold } = paidOffer(locked)
  const { kind, reference } = hold
  return {
    key: effectKey(cart.id, cart.attempt_number, 'place'),
    buyer,
    merchantDomain: cart.merchant_domain,
    items: saidItems(intent, cart).map(channelItem),
    offer,
    fulfillment: { method: intent.fulfillment.method },
    instrument: kind === 'credential' ? { kind, reference } : { kind },
    reference: referenceOf(intent, cart),
  }
}

/** A key for each attempt: a shop that failed one attempt may be asked again in the next. */
export function cartKeyOf(cart: Pick<LoadedCart, 'id' | 'attempt_number'>): string {
  return `${cart.id}:${cart.attempt_number}`
}

/** The offer that the money of the current attempt is held for, and the hold. */
export function paidOffer(locked: LockedCart): { offer: Offer; hold: HoldRow } {
  const attempt = locked.cart.attempt_number
  const pay = locked.effect('issue_credential', attempt) ?? locked.effect('authorize', attempt)
  const hold = locked.hold(attempt)
  if (!pay?.request.offer || !hold) throw new Error('an order without money for it')
  return { offer: offerOf(pay.request.offer), hold }
}

/** Shown in the records of the rail and of shops: whose money it is. */
export function referenceOf(intent: Intent, cart: LoadedCart): string {
  return `${intent.id}/${cart.id}`
}

/** A cart's items as the buyer requested them at first: the cart's own amount follows the price that was approved since. */
export function saidItems(intent: Intent, cart: LoadedCart): IntentItem[] {
  return cart.items.map((item) => {
    const said = intent.items.find(({ id }) => id === item.id)
    if (!said) throw new Error('a cart with an item that its intent has not')
    return { ...said, url: item.url, quantity: item.quantity }
  })
}

export function channelItem({ id, url, quantity, unit_amount, variant }: IntentItem): ChannelItem {
  return { id, url, quantity, unitAmount: BigInt(unit_amount), variant }
}

/** The last check before money moves: a purchase that is shipped has an address, or was made before that was a rule. */
export function assertHasSomewhereToGo({
  ship_to,
  fulfillment,
}: Pick<Intent, 'ship_to' | 'fulfillment'>): void {
  if (ship_to === 'awaited' || (ship_to === 'frozen' && !fulfillment.address))
    throw new Error('what is shipped to nobody was about to be paid for')
}
