import type { ActingContext, Mode } from '../../../contract/context.ts'
import type { IdScheme } from '../../../platform/ids/derived-id.ts'
import type { SoldBy } from '../intents/public.ts'

/** The bounds of one outbound call. It ends inside the lease of whoever makes it. */
export type Call = { readonly mode: Mode; readonly timeoutMs: number }

/**
 * Why a callee did nothing, for now. `credentials`, `permission`: it does not know us, or does not let us. `misrouted`: nobody serves
 * that path. `busy`: too much at once. `no_object`: it does not know what was named. `not_understood`: the request, which is a bug of
 * ours. `circuit_open`: it was not called, since it fails.
 */
export type NotNowReason =
  | 'credentials'
  | 'permission'
  | 'misrouted'
  | 'busy'
  | 'no_object'
  | 'not_understood'
  | 'circuit_open'

/** It is certain that nothing happened, and nothing is decided: the same key may be sent again, best after `retryAfterSeconds`. */
export type NotNow = {
  readonly kind: 'not_now'
  readonly reason: NotNowReason
  readonly retryAfterSeconds: number | null
}

/**
 * What came of a call that changes something outside. `refused` is for good: the same request would be refused again. `not_sent`: it is
 * certain that not a byte left; `retryable` is false where sending again cannot help. `unknown`: it may have arrived, and only asking
 * tells.
 */
export type Answer<Done, Refusal> =
  | { readonly kind: 'done'; readonly value: Done }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | NotNow
  | { readonly kind: 'not_sent'; readonly retryable: boolean }
  | { readonly kind: 'unknown' }

/** What the callee remembers of a key. `closed`: nothing came of it, and nothing ever will. `not_now` is about the question only. */
export type Remembered<Done, Refusal> =
  | { readonly kind: 'done'; readonly value: Done }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | NotNow
  | { readonly kind: 'pending' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'unknown' }

/* ---- the payment rail ---- */

/** The card as the rail is told of it. In test mode a test-card identifier, in live mode a reference of the vault. */
export type PaymentCard = { readonly testCard: string | null; readonly vaultToken: string }

/** What the rail holds for us: an authorization, or a credential that somebody else may charge. */
export type RailObject = {
  readonly reference: string
  readonly status: 'authorized' | 'captured' | 'voided' | 'declined' | 'refunded'
  /** The hold, or the limit of the credential. */
  readonly amount: bigint
  readonly capturedAmount: bigint
  readonly currency: string
  /** Names the capture in a refund; never null once something was captured. */
  readonly captureReference: string | null
}

/** `code` is the rail's own (`already_captured`, `over_limit` …); a decline of the issuer has its `declineCode`. */
export type RailRefusal = { readonly code: string; readonly declineCode: string | null }

export type RailAnswer = Answer<RailObject, RailRefusal>

export type RailMemory = Remembered<RailObject, RailRefusal>

/** How an object stands; `unknown`: it cannot be read at the moment. */
export type RailReading =
  | { readonly kind: 'done'; readonly value: RailObject }
  | NotNow
  | { readonly kind: 'unknown' }

export type RailAuthorize = {
  readonly key: string
  readonly card: PaymentCard
  readonly amount: bigint
  readonly currency: string
  readonly merchant: string
  /** Our own words for what it is for; shows in the rail's records. */
  readonly reference: string
}

export type RailCredential = Omit<RailAuthorize, 'amount'> & {
  readonly limit: bigint
  readonly expiresAt: Date
}

/** A hold as a rail lists it: the key that made it, and how it stands. */
export type ListedHold = { readonly key: string; readonly object: RailObject }

/** `next` asks for the page after this one; null on the last. A page may be empty. */
export type HoldPage = { readonly holds: readonly ListedHold[]; readonly next: string | null }

/** Which page of which time; `since` null: from the beginning. */
export type HoldQuery = { readonly since: Date | null; readonly until: Date; readonly page: string | null }

/**
 * Who moves the money. Every changing call carries a deterministic key: the same key and request is the same effect, however often
 * it is sent. The rail itself refuses what goes beyond an authorization or a credential.
 */
export interface PaymentRail {
  authorize(input: RailAuthorize, call: Call): Promise<RailAnswer>
  /** A single-use credential that `merchant` can charge once, at most `limit`, before `expiresAt`. */
  issueCredential(input: RailCredential, call: Call): Promise<RailAnswer>
  capture(input: { key: string; reference: string; amount: bigint }, call: Call): Promise<RailAnswer>
  void(input: { key: string; reference: string }, call: Call): Promise<RailAnswer>
  revoke(input: { key: string; reference: string }, call: Call): Promise<RailAnswer>
  /** `reference` is that of the capture. */
  refund(input: { key: string; reference: string; amount: bigint }, call: Call): Promise<RailAnswer>
  /** How an authorization or a credential stands now. */
  get(kind: 'authorization' | 'credential', reference: string, call: Call): Promise<RailReading>
  ask(key: string, call: Call): Promise<RailMemory>
  /** Makes "not found" final: releases what the key holds and refuses the key from now on. What was captured stays. */
  close(key: string, call: Call): Promise<RailMemory>
  /** What it holds and nobody has captured or let go, oldest first; null when it cannot be read at the moment. Not every rail can. */
  list?(query: HoldQuery, call: Call): Promise<HoldPage | null>
}

/* ---- ways of buying ---- */

export type ChannelItem = {
  readonly id: string
  readonly url: string
  readonly quantity: number
  readonly unitAmount: bigint
  /** The quote whose price is paid. */
  readonly quoteId?: string | null
  /** Who sold it when the purchase was made. */
  readonly soldBy: SoldBy
  readonly variant: {
    readonly id?: string | undefined
    readonly sku?: string | undefined
    readonly selections?: readonly { readonly name: string; readonly value: string }[] | undefined
  } | null
}

/** One cart as a way of buying sees it: items of one merchant in one currency. */
export type OfferRequest = {
  /** The cart's attempt: `cart_…:1`. */
  readonly cartKey: string
  readonly profileId: string
  readonly merchantDomain: string
  readonly merchantAccountId: string | null
  readonly items: readonly ChannelItem[]
  readonly currency: string
  readonly fulfillment: {
    readonly method: 'ship' | 'pickup' | 'digital'
    readonly speed: 'cheapest' | 'fastest'
    readonly feeAllowance: bigint
  }
  readonly shipTo: ShipTo | null
}

export type ShipTo = {
  readonly recipientName: string
  readonly line1: string
  readonly line2: string | null
  readonly city: string
  readonly state: string | null
  readonly postalCode: string | null
  readonly country: string
}

export type OfferLine = {
  readonly itemId: string
  readonly quantity: number
  readonly unitAmount: bigint
  readonly title: string | null
  /** What of a merchant's catalog it is, where we hold the catalog. */
  readonly listing: {
    readonly itemId: string
    readonly variantId: string
    readonly sku: string | null
  } | null
}

/** What the merchant asks, now. */
export type Offer = {
  /** The merchant's name for this offer; checkout refers to it. */
  readonly reference: string | null
  readonly lines: readonly OfferLine[]
  readonly subtotal: bigint
  readonly fulfillment: bigint
  readonly tax: bigint
  readonly discount: bigint
  readonly total: bigint
  readonly currency: string
  /** The rate that the tax was computed with, where it was computed by us. */
  readonly taxBasisPoints?: number | undefined
}

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

export type OfferAnswer =
  | { readonly kind: 'offer'; readonly offer: Offer }
  | { readonly kind: 'refused'; readonly code: OfferRefusalCode; readonly message: string | null }
  | { readonly kind: 'sign_in'; readonly isRefused: boolean; readonly message: string | null }
  /** Nobody answered, or with an error. Nothing was changed by asking, so it can be asked again. */
  | { readonly kind: 'unavailable'; readonly retryAfterSeconds?: number | null }

export type PlaceRequest = {
  readonly key: string
  readonly intentId: string
  readonly cartId: string
  readonly attempt: number
  /** How the id of our row of the order follows from the cart's, where we hold one. */
  readonly idScheme: IdScheme
  readonly merchantAccountId: string | null
  readonly merchantDomain: string
  readonly items: readonly ChannelItem[]
  readonly offer: Offer
  readonly fulfillment: { readonly method: 'ship' | 'pickup' | 'digital' }
  readonly shipTo: ShipTo | null
  readonly profileId: string
  readonly merchantName: string
  /** The rail's id of the credential, where the merchant charges it; null where we capture. */
  readonly credential: string | null
  readonly reference: string
}

/** `orderRow` is our `ord_…`, where we hold the order; `orderId` the merchant's reference, once there is one. */
export type Placed = {
  readonly orderRow: string | null
  readonly orderId: string | null
  readonly transactionId: string | null
  /** What is owed for it, where that can be less than was held for it. */
  readonly owed?: bigint | undefined
}

export type PlaceRefusal = {
  readonly code:
    | 'order_rejected_by_merchant'
    | 'order_confirmation_timeout'
    | 'payment_declined'
    | 'product_out_of_stock'
    | 'price_changed'
    | 'merchant_unavailable'
    | 'merchant_changed'
    | 'cancelled'
  readonly message: string | null
  readonly declineCode: string | null
}

/** `pending`: it has arrived and is not decided; ask again, or wait for the event. */
export type PlaceAnswer = Answer<Placed, PlaceRefusal> | { readonly kind: 'pending'; readonly value: Placed }

export type PlaceRemembered =
  | Exclude<Remembered<Placed, PlaceRefusal>, { kind: 'pending' }>
  | { readonly kind: 'pending'; readonly value: Placed | null }

/** An order by the key it was placed with, and by our row of it where we hold one. */
export type AskedOrder = { readonly key: string; readonly orderRow: string | null }

/**
 * One way of buying. `By` is what it acts with: a merchant of ours is bought from inside a transaction (`ActingContext`), anybody
 * else by calls over the network (`Call`).
 */
export interface BuyingChannel<By> {
  readonly name: 'native' | 'simulated'
  /** `authorization`: we hold the amount and capture it once the order is confirmed. `credential`: the merchant charges it. */
  readonly payment: 'authorization' | 'credential'
  /** Asks for a price and changes nothing. */
  offer(request: OfferRequest, by: By): Promise<OfferAnswer>
  /** Places the order, at most once for a key. */
  place(request: PlaceRequest, by: By): Promise<PlaceAnswer>
  ask(order: AskedOrder, by: By): Promise<PlaceRemembered>
  /** Afterwards the key has placed an order or never will. */
  close(order: AskedOrder, by: By): Promise<PlaceRemembered>
}

/** A way of buying that is rows of our own database. */
export type InnerChannel = BuyingChannel<ActingContext>

/** A way of buying that is somebody else's server. */
export type OuterChannel = BuyingChannel<Call>
