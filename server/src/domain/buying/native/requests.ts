import type { Id } from '../../../core/id.ts'
import type { Inputs } from '../../selling/catalog/public.ts'
import type {
  Buyer,
  ChannelItem,
  Offer,
  OfferAnswer,
  OfferRequest,
  Placed,
  PlaceRefusal,
} from '../channels/public.ts'
import type { SoldBy } from '../intents/public.ts'

export type NativeItem = ChannelItem & {
  /** The quote whose price is paid. */
  readonly quoteId: Id<'quo'> | null
  /** Who sold the items when the purchase was made. */
  readonly soldBy: SoldBy
  /** What the merchant is told about it. */
  readonly inputs: Inputs
}

/** A cart of a merchant of ours. Unlike a channel's request it names rows, which are all in this installation. */
export type NativeRequest = {
  readonly cartId: Id<'cart'>
  readonly merchantAccountId: Id<'acct'>
  readonly merchantDomain: string
  readonly items: readonly NativeItem[]
  readonly buyer: Buyer
}

export type NativeOfferRequest = NativeRequest &
  Pick<OfferRequest, 'cartKey' | 'currency' | 'fulfillment' | 'promoCode'> & {
    /** Identifies the person for the merchant's promotions. Nothing is read by it. */
    readonly profileId: Id<'prof'>
  }

/** What no shop elsewhere can say: here it is the operator who pays merchants. */
export type NativeOfferAnswer =
  | OfferAnswer
  | { readonly kind: 'refused'; readonly code: 'merchant_not_payable'; readonly message: null }

export type NativePlaceRequest = NativeRequest & {
  readonly intentId: Id<'pi'>
  readonly attempt: number
  /** How the id of the order is derived from the cart's. */
  readonly offer: Offer
}

/** A new order always awaits its merchant. */
export type NativePlaceAnswer =
  | { readonly kind: 'pending'; readonly value: NativePlaced & { readonly orderRow: Id<'ord'> } }
  | { readonly kind: 'refused'; readonly refusal: PlaceRefusal }

/** `owed`: the amount that is owed for the order, which can be less than was held for it. */
export type NativePlaced = Placed & { readonly owed: bigint }

/** The state of an order. */
export type NativeOrder =
  | { readonly kind: 'pending' | 'closed' }
  | { readonly kind: 'done'; readonly value: NativePlaced }
  | { readonly kind: 'refused'; readonly refusal: PlaceRefusal }
