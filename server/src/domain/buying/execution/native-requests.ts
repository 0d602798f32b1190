import type { IntentItem } from '../intents/public.ts'
import type { NativeItem, NativeOfferRequest, NativePlaceRequest, NativeRequest } from '../native/public.ts'
import { buyerOf } from './buyer-of.ts'
import type { CartState } from './cart-state.ts'
import { cartKeyOf, channelItem, paidOffer, saidItems } from './requests.ts'

export function nativeOfferRequest(state: CartState): NativeOfferRequest {
  const { intent, cart } = state
  const { method, speed } = intent.fulfillment
  return {
    ...requestOf(state),
    cartKey: cartKeyOf(cart),
    profileId: intent.profile_id,
    currency: cart.currency,
    fulfillment: { method, speed, feeAllowance: cart.fee_allowance },
    promoCode: intent.promo_code,
  }
}

/** The order for exactly the offer that the money is held for. */
export function nativePlaceRequest(state: CartState): NativePlaceRequest {
  const { intent, cart } = state
  return {
    ...requestOf(state),
    intentId: intent.id,
    attempt: cart.attempt_number,
    offer: paidOffer(state).offer,
  }
}

function requestOf({ intent, cart }: CartState): NativeRequest {
  if (cart.merchant_account_id === null) throw new Error('a native cart without its merchant')
  return {
    cartId: cart.id,
    merchantAccountId: cart.merchant_account_id,
    merchantDomain: cart.merchant_domain,
    items: saidItems(intent, cart).map(nativeItem),
    buyer: buyerOf(intent),
  }
}

function nativeItem(said: IntentItem): NativeItem {
  const quoteId = said.quote_id as NativeItem['quoteId'] // the item's own column
  return { ...channelItem(said), quoteId, soldBy: said, inputs: said.inputs ?? {} }
}
