import type { Mode } from '../../../contract/context.ts'
import type { ReceivedResult } from '../cart-results/public.ts'
import type { PageEvidence } from '../evidence/public.ts'
import type { Cart, CartField, CartPage, SubmittedTicket } from '../intents/public.ts'
import type { Answer, Call, NotNow, Remembered } from '../rails/public.ts'
import type { ToldAs } from '../stranger-orders/public.ts'

/**
 * The bounds of a call to a way of buying. `share`: for whom it is, where the way of buying has to share out something of its own; nobody
 * learns from it which account that is. `onEvidence` takes pictures of the pages that something is bought on, and never fails; who
 * awaits it hands over no faster than pictures are written.
 */
export type ChannelCall = Call & {
  readonly share: string
  onEvidence?(evidence: PageEvidence): void | Promise<void>
}

export type PostalAddress = {
  readonly recipientName: string
  readonly line1: string
  readonly line2: string | null
  readonly city: string
  readonly state: string | null
  readonly postalCode: string | null
  readonly country: string
}

/** The buyer that a cart is bought for, as its merchant gets it. */
export type Buyer = {
  /** Both names in one, for what has room for one. */
  readonly name: string
  readonly firstName: string
  /** Null for a person who has one name. */
  readonly lastName: string | null
  readonly email: string
  readonly phone: string | null
  /** The address for the goods, as it was fixed with the purchase; null where nothing is shipped. */
  readonly shipTo: PostalAddress | null
  /** The default billing address of the profile; null where it has none. */
  readonly billTo: PostalAddress | null
}

/** What it is: a token for a merchant of a payment handler, bound to an MPP challenge, or a card that is typed into a page. */
export type CredentialForm = 'token' | 'challenge' | 'card'

/** What a merchant is paid with: we capture a hold once the order is confirmed, or the merchant charges a credential of the rail. */
type Instrument =
  | { readonly kind: 'authorization' }
  | {
      readonly kind: 'credential'
      readonly form: Exclude<CredentialForm, 'card'>
      readonly reference: string
    }
  | {
      readonly kind: 'credential'
      readonly form: 'card'
      readonly reference: string
      /**
       * Permission to type its number once, into a frame of exactly this origin; null: it was typed before, or a later worker has the
       * cart. Whoever gets it hands it to the process that types, and learns no number.
       */
      grant(origin: string): Promise<string | null>
    }

/** What is sent to the URL of an item, where that is more than reading it. */
type ItemRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly contentType: string | null
  readonly body: string | null
}

export type ChannelItem = {
  /** Identifies the line in the offer. */
  readonly id: string
  readonly url: string
  readonly quantity: number
  readonly unitAmount: bigint
  readonly variant: {
    readonly id?: string | undefined
    readonly sku?: string | undefined
    readonly selections?: readonly { readonly name: string; readonly value: string }[] | undefined
  } | null
  /** Only ways of buying that pay for requests have a use for it. */
  readonly request?: ItemRequest | null
}

/** One cart as a way of buying sees it: items of one merchant in one currency. */
export type OfferRequest = {
  /** The cart's attempt: `cart_…:1`. */
  readonly cartKey: string
  readonly buyer: Buyer
  readonly merchantDomain: string
  /** The origin of the site that is bought from; null where the way of buying has one place for all. */
  readonly site: string | null
  /** Hosts besides it that the operator names for this shop; of use where its pages are gone through. */
  readonly moreHosts?: readonly string[]
  readonly items: readonly ChannelItem[]
  readonly currency: string
  readonly fulfillment: {
    readonly method: 'ship' | 'pickup' | 'digital'
    readonly speed: 'cheapest' | 'fastest'
    readonly feeAllowance: bigint
  }
  /** A code that the buyer names: it is tried once, and bought without where the merchant refuses it. */
  readonly promoCode: string | null
  /** Where the cart was begun in another way, and is bought by the page that holds it. */
  readonly page?: CartPage | null
  /** What a person has sealed to sign in at the merchant; null or missing: nothing. A way of buying that has no use for it ignores it. */
  readonly signIn?: SubmittedTicket | null
  /** What was asked and told. A way of buying that asks nothing ignores it. */
  readonly answers?: GivenAnswers | null
}

/** What a person has told of what a merchant asked: it is said to this host alone. */
export type GivenAnswer = { readonly host: string; readonly name: string; readonly value: string }

/** `session`: the page of the merchant that waits for them; null: none does. */
type GivenAnswers = { readonly given: readonly GivenAnswer[]; readonly session: string | null }

export type OfferLine = {
  readonly itemId: string
  readonly quantity: number
  readonly unitAmount: bigint
  readonly title: string | null
  /** The listing in the merchant's catalog, where we hold the catalog. */
  readonly listing?: {
    readonly itemId: string
    readonly variantId: string
    readonly sku: string | null
  } | null
}

/** The merchant's price at this moment. */
export type Offer = {
  /** How the way of buying finds this offer again, in words of its own and at most 8 kB of them; checkout refers to it. */
  readonly reference: string | null
  readonly lines: readonly OfferLine[]
  readonly subtotal: bigint
  readonly fulfillment: bigint
  readonly tax: bigint
  readonly discount: bigint
  readonly total: bigint
  readonly currency: string
  /** The rate that the tax was computed with, where we computed it. */
  readonly taxBasisPoints?: number | undefined
  /** How the merchant's own messages about the order will name it; null or missing: it sends none. */
  readonly toldAs?: ToldAs | null | undefined
  /** The merchant's name in the network of shared payment tokens, where it is paid by one; else a credential of our rail pays. */
  readonly seller?: string | undefined
  /** The merchant's account at the rail, which is paid by it; missing: the operator is. */
  readonly payTo?: string | undefined
}

/** What a merchant said of the buyer's code. Taken: the price of the offer counts it. */
export type TriedCode = { readonly isTaken: boolean; readonly message: string | null }

/** Failure codes that a merchant or shop can cause by its answer. */
export type OfferRefusalCode =
  | 'product_not_found'
  | 'product_out_of_stock'
  | 'insufficient_stock'
  | 'variant_required'
  | 'unsupported_currency'
  | 'price_changed'
  | 'address_undeliverable'
  | 'captcha_blocked'
  | 'merchant_unsupported'
  | 'merchant_changed'
  /** It does not answer, and asking again cannot help. */
  | 'merchant_unavailable'

export type OfferAnswer =
  /** `promo` null or left out: no code was tried. */
  | { readonly kind: 'offer'; readonly offer: Offer; readonly promo?: TriedCode | null }
  | { readonly kind: 'refused'; readonly code: OfferRefusalCode; readonly message: string | null }
  /**
   * It sells to customers who have signed in. `isRefused`: what was typed is wrong. `host`: the exact host that asks. `code`: it has sent a
   * code to its customer, and the page of this session waits for it.
   */
  | {
      readonly kind: 'sign_in'
      readonly isRefused: boolean
      readonly message: string | null
      readonly host?: string | null
      readonly code?: { readonly session: string } | null
    }
  /**
   * The merchant must know more before it names a price. `message`: what it says of that. `session`: its page waits for the answers.
   */
  | {
      readonly kind: 'needs_input'
      readonly fields: readonly CartField[]
      readonly message: string | null
      readonly session: string | null
    }
  /** The merchant was not asked: something of ours was in the way. It costs no try. */
  | NotNow
  /** There was no answer, or an error. The question changed nothing, so it can be asked again. */
  | { readonly kind: 'unavailable'; readonly retryAfterSeconds?: number | null }

/**
 * It cannot be bought in this way, and nothing was placed: the next way is tried. `why` is a sentence. `page`: the merchant has the goods
 * in a cart already, and wants its buyer there. Then no other way is taken than by that page.
 */
export type Elsewhere = { readonly kind: 'elsewhere'; readonly why: string; readonly page?: CartPage }

/** The order for exactly the offer that the money is held for. */
export type PlaceRequest = {
  readonly key: string
  readonly buyer: Buyer
  readonly merchantDomain: string
  readonly site: string | null
  readonly moreHosts?: readonly string[]
  readonly items: readonly ChannelItem[]
  readonly offer: Offer
  readonly fulfillment: OfferRequest['fulfillment']
  /** As in the offer, which has it in its price. */
  readonly promoCode: string | null
  /** As in the request for the offer. */
  readonly page?: CartPage | null
  /** As in the request for the offer, where its way is gone again. */
  readonly answers?: GivenAnswers | null
  readonly instrument: Instrument
  /** Our own text about its purpose, which the merchant's records show. */
  readonly reference: string
}

/** `orderId`: the merchant's reference, once there is one. */
export type Placed = {
  readonly orderId: string | null
  readonly transactionId: string | null
  /** Where its buyer sees it at the merchant, over https. */
  readonly orderUrl?: string | null
  /** Where the merchant's answer is itself what was bought, as it came; none that is larger than `resultBytesMax` is one. */
  readonly result?: ReceivedResult | null
}

export type PlaceRefusal = {
  readonly code:
    | 'order_rejected_by_merchant'
    | 'order_confirmation_timeout'
    | 'payment_declined'
    | 'product_out_of_stock'
    | 'price_changed'
    | 'merchant_unavailable'
    | 'merchant_auth_failed'
    | 'merchant_changed'
    | 'merchant_unsupported'
    | 'payment_authentication_failed'
    | 'cancelled'
  readonly message: string | null
  readonly declineCode: string | null
}

/** `pending`: the order has arrived and is not decided; ask again, or wait for the event. */
export type PlaceAnswer = Answer<Placed, PlaceRefusal> | { readonly kind: 'pending' }

export type PlaceMemory = Remembered<Placed, PlaceRefusal>

/**
 * One way of buying at merchants elsewhere, by calls over the network. It gets the buyer, the lines and the instrument, and has no
 * database to look anything up in. Merchants of ours are bought from in another way: by rows of our own, in `native/`.
 */
export interface BuyingChannel {
  /** Asks for a price and changes nothing. */
  offer(request: OfferRequest, call: ChannelCall): Promise<OfferAnswer | Elsewhere>
  /** Places the order, at most once for a key. */
  place(request: PlaceRequest, call: ChannelCall): Promise<PlaceAnswer>
  /** What has become of an order, exactly as it was sent. */
  ask(sent: PlaceRequest, call: ChannelCall): Promise<PlaceMemory>
  /** Afterwards the order has either been placed or never will be. */
  close(sent: PlaceRequest, call: ChannelCall): Promise<PlaceMemory>
}

/** What holds for a way of buying in every process. */
export type ChannelTerms = {
  readonly name: Cart['channel']
  readonly modes: readonly Mode[]
  readonly payment: Instrument['kind']
  /** How what is paid with is handed to the merchant, where that is a credential. */
  readonly form?: CredentialForm
  /** Whether merchants never agreed to anything with us: then a charge alone says that something was bought, whatever they say. */
  readonly hasStrangers: boolean
  /** How many milliseconds one call may take. */
  readonly longestCallMs: number
}

/**
 * How a cart is bought: by rows of our own inside a transaction (`native`), by calls of a channel (`outbound`), or by a credential that a
 * merchant of ours charges (`handed_over`): then no call is made, and the rail says what became of it.
 */
export type Way = Pick<ChannelTerms, 'payment' | 'hasStrangers'> & {
  readonly kind: 'native' | 'handed_over' | 'outbound'
  /** How what is paid with is handed to the merchant, where that is a credential of a channel. */
  readonly form: CredentialForm | null
  readonly longestCallMs: number
}

/** A way of buying as the composition lists it. `open` returns null in a process that was not given what the channel needs. */
export type ChannelDeclaration<Given> = ChannelTerms & {
  /** Whether this installation has it at all in a mode; left out where every one does. */
  isOffered?(given: Given, mode: Mode): boolean
  open(given: Given): BuyingChannel | null
}
