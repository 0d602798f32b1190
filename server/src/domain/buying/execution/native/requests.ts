import type { Id } from '../../../../core/id.ts'
import type { Inputs } from '../../../selling/catalog/public.ts'
import type { IntentItem, SoldBy } from '../../intents/public.ts'
import type { CartState } from '../cart-state.ts'
import { shipToOf } from '../load-buyer.ts'
import type { Buyer, ChannelItem, Offer, OfferRequest, PostalAddress } from '../port.ts'
import { cartKeyOf, channelItem, paidOffer, saidItems } from '../requests.ts'

export type NativeItem = ChannelItem & {
  /** The quote whose price is paid. */
  readonly quoteId: Id<'quo'> | null
  /** Who sold the items when the purchase was made. */
  readonly soldBy: SoldBy
  /** What the merchant is told about it. */
  readonly inputs: Inputs
}

/** A cart of a merchant of ours. Unlike a channel's request it names rows, which are all in this installation. */
type NativeRequest = {
  readonly cartId: Id<'cart'>
  readonly merchantAccountId: Id<'acct'>
  readonly merchantDomain: string
  readonly items: readonly NativeItem[]
  readonly shipTo: PostalAddress | null
  /** Read on demand: most offers do not depend on the buyer. */
  readonly buyer: ReadBuyer
}

type ReadBuyer = () => Promise<Buyer>

export type NativeOfferRequest = NativeRequest &
  Pick<OfferRequest, 'cartKey' | 'currency' | 'fulfillment' | 'promoCode'> & {
    /** Identifies the person for the merchant's promotions. Nothing is read by it. */
    readonly profileId: Id<'prof'>
  }

export type NativePlaceRequest = NativeRequest & {
  readonly intentId: Id<'pi'>
  readonly attempt: number
  /** How the id of the order is derived from the cart's. */
  readonly offer: Offer
}

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
