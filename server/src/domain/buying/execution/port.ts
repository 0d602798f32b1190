import type { Mode, Tenant } from '../../../contract/context.ts'
import type { CardRecord } from '../../../platform/vault-client/vault-words.ts'
import type { ReceivedResult } from '../cart-results/public.ts'
import type { Cart } from '../intents/public.ts'
import type { ToldAs } from '../stranger-orders/public.ts'

/**
 * The bounds of one outbound call. It ends inside the lease of the worker that makes it, which is renewed while a long call runs. `signal`
 * ends a long call whose lease is lost.
 */
export type Call = { readonly mode: Mode; readonly timeoutMs: number; readonly signal?: AbortSignal }

/**
 * Why a callee did nothing, for now. `credentials`: it does not know us. `permission`: it does not allow us. `misrouted`: no server
 * answers at that path. `busy`: too many requests at once. `no_object`: it does not know the object that was named. `not_understood`: it
 * does not understand the request, which is a bug of ours. `circuit_open`: it was not called, because its last calls failed.
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
 * The result of a call that changes something outside. `refused` is for good: the same request would be refused again. `not_sent`: it is
 * certain that not one byte left; `retryable` is false where sending again cannot help. `unknown`: it may have arrived, and only asking
 * finds that out.
 */
type Answer<Done, Refusal> =
  | { readonly kind: 'done'; readonly value: Done }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | NotNow
  | { readonly kind: 'not_sent'; readonly retryable: boolean }
  | { readonly kind: 'unknown' }

/**
 * What a callee knows of a key. `not_found`: nothing that was made under it exists. `closed`: nothing was made under it, and nothing ever
 * will be. `not_now` is about the question only.
 */
export type Remembered<Done, Refusal> =
  | { readonly kind: 'done'; readonly value: Done }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | NotNow
  | { readonly kind: 'pending' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'unknown' }

/* ---- the payment rail ---- */

/** The card as the rail gets it. In test mode a test-card identifier, in live mode a reference of the vault. */
export type PaymentCard = { readonly testCard: string | null; readonly vaultToken: string }

/** What the rail holds for us: an authorization, or a credential that another party may charge. */
export type RailObject = {
  readonly reference: string
  /** `claimed`, of a credential: its merchant has authorized against it, and has neither captured nor released. */
  readonly status: 'authorized' | 'claimed' | 'captured' | 'voided' | 'declined' | 'refunded'
  /** The hold, or the limit of the credential. */
  readonly amount: bigint
  /** Of a credential that is claimed: what its merchant has authorized; null where the rail does not say. */
  readonly claimedAmount?: bigint | null
  readonly capturedAmount: bigint
  readonly currency: string
  /** Names the capture in a refund; never null after a capture. */
  readonly captureReference: string | null
}

/** `code` is the rail's own (`already_captured`, `over_limit` …); a decline of the issuer has its `declineCode`. */
export type RailRefusal = { readonly code: string; readonly declineCode: string | null }

export type RailAnswer = Answer<RailObject, RailRefusal>

export type RailMemory = Remembered<RailObject, RailRefusal>

/** The state of an object; `unknown`: it cannot be read at the moment. */
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
  /** Our own text about its purpose, which the rail's records show. */
  readonly reference: string
}

export type RailCredential = Omit<RailAuthorize, 'amount'> & {
  readonly limit: bigint
  readonly expiresAt: Date
}

/** Terms of a number of a card that a page of a merchant takes. `accountId` is whose vault it goes into. */
export type RailCard = Omit<RailCredential, 'merchant'> & {
  readonly accountId: Tenant['accountId']
  /** Null: the merchant that authorizes first. */
  readonly merchant: string | null
}

/** A number that the rail has issued. The number itself is in the vault; `record` names it there. */
type IssuedCard = Omit<CardRecord, 'id'> & { readonly reference: string; readonly record: string }

export type CardAnswer = Answer<IssuedCard, RailRefusal>

/** `credential` is its reference; `merchant` is how the rail knows the merchant that charges it. */
export type RailCharge = Omit<RailAuthorize, 'card'> & { readonly credential: string }

/** A hold as a rail lists it: the key that made it, and its state. */
export type ListedHold = { readonly key: string; readonly object: RailObject }

/** `next` asks for the page after this one; null on the last. A page may be empty. */
export type HoldPage = { readonly holds: readonly ListedHold[]; readonly next: string | null }

/** Which page of which period; `since` null: from the beginning. */
type HoldQuery = { readonly since: Date | null; readonly until: Date; readonly page: string | null }

/** A call to a rail that can be closed, exactly as it was sent. */
export type ClosableCall =
  | { readonly step: 'authorize'; readonly input: RailAuthorize }
  | { readonly step: 'issue_credential'; readonly input: RailCredential }
  | { readonly step: 'capture'; readonly input: RailCapture }
  | { readonly step: 'charge_credential'; readonly input: RailCharge }

/** A call whose outcome is asked for, exactly as it was sent. */
export type SentCall =
  | ClosableCall
  | { readonly step: 'void'; readonly input: { readonly key: string; readonly reference: string } }
  | { readonly step: 'refund'; readonly input: RailCapture }

export type RailCapture = { readonly key: string; readonly reference: string; readonly amount: bigint }

/**
 * The party that moves the money. Every changing call carries a deterministic key: the same key and request have the same effect, however
 * often they are sent. The rail itself refuses what exceeds an authorization or a credential.
 *
 * A rail may forget keys: Stripe keeps those of its first API for 24 hours, and those of its second for 30 days. A forgotten key that is
 * sent again has its effect again. So nothing is concluded only from the keys that a rail remembers:
 *
 * - A rail keeps keys for longer than any call can be under way, which is minutes.
 * - An adapter writes the key on what it makes (Stripe: metadata). `ask` and `close` find it there once the key itself is forgotten.
 * - Before a key that may have left is sent again, it is asked about, and only "not found" allows sending it again.
 */
export interface PaymentRail {
  authorize(input: RailAuthorize, call: Call): Promise<RailAnswer>
  /** A single-use credential that `merchant` can charge once, at most `limit`, before `expiresAt`. */
  issueCredential(input: RailCredential, call: Call): Promise<RailAnswer>
  /**
   * As the merchant of a credential: authorizes against it, once for good. The answer is an authorization like any other, which is
   * captured, voided and read as one. The credential follows it: it is claimed, then captured or voided, and never charged again.
   */
  chargeCredential(input: RailCharge, call: Call): Promise<RailAnswer>
  capture(input: RailCapture, call: Call): Promise<RailAnswer>
  void(input: { key: string; reference: string }, call: Call): Promise<RailAnswer>
  revoke(input: { key: string; reference: string }, call: Call): Promise<RailAnswer>
  /** `reference` is the reference of the capture. */
  refund(input: { key: string; reference: string; amount: bigint }, call: Call): Promise<RailAnswer>
  /** The state of an authorization or a credential at this moment. */
  get(kind: 'authorization' | 'credential', reference: string, call: Call): Promise<RailReading>
  /** `sent`: the call that the key was for. A rail that has no memory of keys needs it; one that has does without. */
  ask(key: string, call: Call, sent?: SentCall): Promise<RailMemory>
  /**
   * Makes "not found" final. After `closed` nothing is held that was made under the key, and a call with the key that is still under way
   * holds nothing when it arrives. What was captured stays captured, and the answer is `done`. Where a rail can be told to refuse a key,
   * that is done first. Where it cannot, the call is sent again as it was, so that the one under way reaches the same object. Then all that
   * was made under the key and is still held is released, also where the rail has forgotten the key. A capture is never sent again to be
   * closed: the hold that it would capture is released, and the rail refuses the capture from then on.
   */
  close(sent: ClosableCall, call: Call): Promise<RailMemory>
  /**
   * Holds that are neither captured nor released, oldest first; null when they cannot be read at the moment. Not every rail can list
   * them. An authorization against a credential is the credential's hold, and no second one.
   */
  list?(query: HoldQuery, call: Call): Promise<HoldPage | null>
  /**
   * A single-use number of a card, whose number goes from the rail into the vault and to nobody else. The same call again finds the same
   * card and the same record. `unknown`: the card may be issued, or be issued and not be in the vault. Not every rail issues numbers.
   */
  issueCard?(input: RailCard, call: Call): Promise<CardAnswer>
}

/** A payment rail as the composition lists it. `open` returns null in a process that was not given what the rail needs. */
export type RailDeclaration<Given> = {
  readonly name: string
  readonly modes: readonly Mode[]
  open(given: Given): PaymentRail | null
}

/* ---- ways of buying at merchants elsewhere ---- */
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
  readonly name: string
  readonly email: string
  readonly phone: string | null
  /** The address for the goods, as it was fixed with the purchase; null where nothing is shipped. */
  readonly shipTo: PostalAddress | null
  /** The default billing address of the profile; null where it has none. */
  readonly billTo: PostalAddress | null
}

/** What its reference is: a token for a merchant of a payment handler, or bound to an MPP challenge. */
export type CredentialForm = 'token' | 'challenge'

/** What a merchant is paid with: we capture a hold once the order is confirmed, or the merchant charges a credential of the rail. */
type Instrument =
  | { readonly kind: 'authorization' }
  | { readonly kind: 'credential'; readonly form: CredentialForm; readonly reference: string }

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
  readonly items: readonly ChannelItem[]
  readonly currency: string
  readonly fulfillment: {
    readonly method: 'ship' | 'pickup' | 'digital'
    readonly speed: 'cheapest' | 'fastest'
    readonly feeAllowance: bigint
  }
}

export type OfferLine = {
  readonly itemId: string
  readonly quantity: number
  readonly unitAmount: bigint
  readonly title: string | null
  /** The listing in the merchant's catalog, where we hold the catalog. */
  readonly listing: {
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
  /** There was no answer, or an error. The question changed nothing, so it can be asked again. */
  | { readonly kind: 'unavailable'; readonly retryAfterSeconds?: number | null }

/** It cannot be bought in this way, and nothing was placed: the next way is tried. `why` is a sentence. */
export type Elsewhere = { readonly kind: 'elsewhere'; readonly why: string }

/** The order for exactly the offer that the money is held for. */
export type PlaceRequest = {
  readonly key: string
  readonly buyer: Buyer
  readonly merchantDomain: string
  readonly site: string | null
  readonly items: readonly ChannelItem[]
  readonly offer: Offer
  readonly fulfillment: { readonly method: 'ship' | 'pickup' | 'digital' }
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
  offer(request: OfferRequest, call: Call): Promise<OfferAnswer | Elsewhere>
  /** Places the order, at most once for a key. */
  place(request: PlaceRequest, call: Call): Promise<PlaceAnswer>
  /** What has become of an order, exactly as it was sent. */
  ask(sent: PlaceRequest, call: Call): Promise<PlaceMemory>
  /** Afterwards the order has either been placed or never will be. */
  close(sent: PlaceRequest, call: Call): Promise<PlaceMemory>
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

/** A way of buying as the composition lists it. `open` returns null in a process that was not given what the channel needs. */
export type ChannelDeclaration<Given> = ChannelTerms & {
  open(given: Given): BuyingChannel | null
}
