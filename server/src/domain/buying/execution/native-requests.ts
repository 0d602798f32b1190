import type { IntentItem } from '../intents/public.ts'
import type {
  NativeItem,
  NativeOfferRequest,
  NativePlaceRequest,
  NativeRequest,
  ReadBuyer,
} from '../native/public.ts'
import type { CartState } from './cart-state.ts'
import { shipToOf } from './load-buyer.ts'
import { cartKeyOf, channelItem, paidOffer, saidItems } from './requests.ts'

export function nativeOfferRequest(state: CartState, buyer: ReadBuyer): NativeOfferRequest {
  const { intent, cart } = state
  const { method, speed } = intent.fulfillment
  return {
    ...requestOf(state, buyer),
    cartKey: cartKeyOf(cart),
    profileId: intent.profile_id,
    currency: cart.currency,
    fulfillment: { method, speed, feeAllowance: cart.fee_allowance },
    promoCode: intent.promo_code,
  }
}

/** The order for exactly the offer that the money is held for. */
export function nativePlaceRequest(state: CartState, buyer: ReadBuyer): NativePlaceRequest {
  const { intent, cart } = state
  return {
    ...requestOf(state, buyer),
    intentId: intent.id,
    attempt: cart.attempt_number,
    offer: paidOffer(state).offer,
  }
}

function requestOf({ intent, cart }: CartState, buyer: ReadBuyer): NativeRequest {
  if (cart.merchant_account_id === null) throw new Error('a native cart without its merchant')
  return {
    cartId: cart.id,
    merchantAccountId: cart.merchant_account_id,
    merchantDomain: cart.merchant_domain,
    items: saidItems(intent, cart).map(nativeItem),
    shipTo: shipToOf(intent),
    buyer,
  }
}

function nativeItem(said: IntentItem): NativeItem {
  const quoteId = said.quote_id as NativeItem['quoteId'] // the item's own column
  return { ...channelItem(said), quoteId, soldBy: said, inputs: said.inputs ?? {} }
}
