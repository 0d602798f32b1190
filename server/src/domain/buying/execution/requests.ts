import { shopsOwnId } from '../../discovery/sources/public.ts'
import type { ChannelItem, Offer, OfferRequest } from '../channels/public.ts'
import {
  type CartPage,
  type IntentItem,
  type LoadedCart,
  type LoadedIntent,
  type SubmittedTicket,
  stageOf,
} from '../intents/public.ts'
import { buyerOf } from './buyer-of.ts'
import { type CartState, effectOf, holdOf, wayOf } from './cart-state.ts'
import { effectKey, type HoldRow } from './journal.ts'
import type { OrderTerms } from './messages.ts'

type Intent = LoadedIntent['intent']

/** The request for an offer, as a cart's way of buying gets it. */
export function offerRequest(state: CartState): OfferRequest {
  const { intent, cart } = state
  return {
    cartKey: cartKeyOf(cart),
    buyer: buyerOf(intent),
    merchantDomain: cart.merchant_domain,
    site: cart.route?.site ?? null,
    items: saidItems(intent, cart).map(channelItem),
    currency: cart.currency,
    fulfillment: fulfillmentOf(intent, cart),
    promoCode: intent.promo_code,
    page: pageOf(cart, cart.attempt_number),
    signIn: submittedTicket(cart),
    ...ofPages(state),
  }
}

/** What only a way of buying needs that goes through pages. */
function ofPages(state: CartState): { moreHosts?: readonly string[] } {
  const { moreHosts } = state.known
  return moreHosts && wayOf(state).form === 'card' ? { moreHosts } : {}
}

/** Where this attempt goes on with what another way has begun. */
function pageOf({ route }: Pick<LoadedCart, 'route'>, attempt: number): CartPage | null {
  if (route?.page?.attempt !== attempt) return null
  const { attempt: _, ...page } = route.page
  return page
}

function submittedTicket(cart: LoadedCart): SubmittedTicket | null {
  const stage = stageOf(cart)
  return stage.kind === 'offer' || stage.kind === 'room' ? stage.signIn : null
}

/** The order for exactly the offer that the money of an attempt is held for. */
export function orderTerms(state: CartState, attempt: number): OrderTerms {
  const { intent, cart } = state
  return {
    key: effectKey(cart.id, attempt, 'place'),
    buyer: buyerOf(intent),
    merchantDomain: cart.merchant_domain,
    site: cart.route?.site ?? null,
    items: saidItems(intent, cart).map(channelItem),
    offer: paidOffer(state, attempt).offer,
    fulfillment: fulfillmentOf(intent, cart),
    promoCode: intent.promo_code,
    page: pageOf(cart, attempt),
    reference: referenceOf(intent, cart),
    ...ofPages(state),
  }
}

function fulfillmentOf({ fulfillment }: Intent, { fee_allowance }: LoadedCart): OfferRequest['fulfillment'] {
  const { method, speed } = fulfillment
  return { method, speed, feeAllowance: fee_allowance }
}

/** A key for each attempt: a shop that failed one attempt may be asked again in the next. */
export function cartKeyOf(cart: Pick<LoadedCart, 'id' | 'attempt_number'>): string {
  return `${cart.id}:${cart.attempt_number}`
}

/** The offer that the money of an attempt is held for, and the hold. */
export function paidOffer(
  state: CartState,
  attempt: number = state.cart.attempt_number,
): { offer: Offer; hold: HoldRow } {
  const pay = effectOf(state, 'authorize', attempt) ?? effectOf(state, 'issue_credential', attempt)
  const hold = holdOf(state, attempt)
  if (!pay?.request.offer || !hold) throw new Error('an order without money for it')
  return { offer: pay.request.offer, hold }
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
  return { id, url, quantity, unitAmount: BigInt(unit_amount), variant: variant && inWordsOfTheShop(variant) }
}

/** A search here shows variants under ids that name their source as well. */
function inWordsOfTheShop(variant: NonNullable<IntentItem['variant']>): NonNullable<ChannelItem['variant']> {
  return variant.id === undefined ? variant : { ...variant, id: shopsOwnId(variant.id) }
}

/** The one way of buying that sends what an item says. */
export const paidByRequest = 'mpp'

/** Whether what the items say would be sent: by any other way something else would be bought. */
export function isRequestSent(intent: Intent, cart: Pick<LoadedCart, 'items' | 'channel'>): boolean {
  // guard request-sent-or-not-bought: nothing else is bought in place of a request
  return cart.channel === paidByRequest || !hasRequest(intent, cart)
}

function hasRequest({ items }: Intent, cart: Pick<LoadedCart, 'items'>): boolean {
  return cart.items.some(({ id }) => items.find((item) => item.id === id)?.request !== undefined)
}

/** The last check before money moves: a purchase that is shipped has an address, or was made before that was a rule. */
export function assertHasSomewhereToGo({
  ship_to,
  fulfillment,
}: Pick<Intent, 'ship_to' | 'fulfillment'>): void {
  // guard paid-with-somewhere-to-go: no money is held for a purchase without an address to ship to
  if (ship_to === 'awaited' || (ship_to === 'frozen' && !fulfillment.address))
    throw new Error('what is shipped to nobody was about to be paid for')
}
