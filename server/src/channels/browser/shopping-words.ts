import type {
  Buyer,
  ChannelItem,
  GivenAnswer,
  Offer,
  OfferRefusalCode,
  OfferRequest,
  PlaceRefusal,
  TriedCode,
} from '../../domain/buying/channels/port.ts'
import type { ControlFate } from '../../domain/buying/looks/port.ts'

/**
 * What a worker and the browser process say to each other about one cart, in the words of the port where it says the same. Nothing here has
 * room for a card number or a password.
 */
export type { GivenAnswer, Offer, OfferRefusalCode } from '../../domain/buying/channels/port.ts'

/** The browser itself had no place or no Chromium for it: the shop was not asked, and its answer is not what is missing. */
export type ShopNoRoom = { readonly kind: 'no_room'; readonly why: string }

export type ShopAddress = NonNullable<Buyer['shipTo']>

/** `title`: what the shop calls it, where its own page is not read. */
export type ShopItem = Omit<ChannelItem, 'request'> & { readonly title: string | null }

export type ShopRequest = {
  /** The cart, and which attempt of it this is. */
  readonly cart: string
  readonly attempt: number
  readonly buyer: Buyer
  /** The registrable domain, and the origin that is bought from. */
  readonly merchantDomain: string
  readonly site: string
  readonly items: readonly ShopItem[]
  /** A page of the shop that holds the goods already, each of which has its title then. Null: they are put into a cart first. */
  readonly startAt: string | null
  /** ISO 4217. */
  readonly currency: string
  readonly fulfillment: OfferRequest['fulfillment']
  /** Tried once. A code that the shop refuses costs nothing but the discount. */
  readonly promoCode: string | null
  /** Hosts beyond the merchant's own domain that the main frame may be on: those that an operator has named for this shop. */
  readonly moreHosts: readonly string[]
  readonly answers?: readonly GivenAnswer[]
}

/** The shop wants its buyer to sign in. */
export type ShopSignIn = {
  readonly kind: 'sign_in'
  /** It has not taken what was typed. */
  readonly isRefused: boolean
  readonly message: string | null
  /** The exact host that asks. */
  readonly host: string | null
  /** It has sent a code to its customer, and the page of this session waits for that code; null: it asks for a password. */
  readonly session: string | null
}

/** Something that the shop requires and the buyer's data lack. `name` is the same each time that the same is asked. */
export type ShopField = {
  readonly name: string
  /** The shop's words, cleaned. */
  readonly label: string
  readonly kind: 'text' | 'choice' | 'date' | 'number'
  readonly options?: readonly string[]
  readonly max_length?: number
}

export type ShopQuestion = {
  readonly kind: 'needs_input'
  /** The exact host that asks. */
  readonly host: string
  readonly fields: readonly ShopField[]
  /** What the shop says of it. */
  readonly message: string | null
  /** The page that waits for the answers; null: none does. */
  readonly session: string | null
}

type ShopRefused = {
  readonly kind: 'refused'
  readonly code: OfferRefusalCode
  readonly message: string | null
}

/**
 * What the summary before the payment says. `reference` of the offer names the page that stays open for the order, for two minutes. `promo`:
 * null where no code was tried.
 */
export type ShopPrice =
  | { readonly kind: 'offer'; readonly offer: Offer; readonly promo: TriedCode | null }
  | ShopRefused
  | ShopSignIn
  | ShopQuestion
  | ShopNoRoom
  /** The shop did not answer. Nothing was ordered, and it can be asked again. */
  | { readonly kind: 'unavailable'; readonly why: string }

/** A page that is only read: nothing is put into a cart, and nobody is named. */
export type ShopLook = Pick<ShopRequest, 'merchantDomain' | 'site' | 'moreHosts'> & {
  readonly url: string
  /** ISO 4217: which dollars or crowns are expected there; null: as the shop likes. */
  readonly currency: string | null
}

/** What the page of a product says. */
export type ShopProduct = {
  readonly title: string
  readonly description: string
  /** Over https. */
  readonly images: readonly string[]
  /** ISO 4217; null where the page says of nothing what it costs. */
  readonly currency: string | null
  /** What can be chosen, in the words of the page; empty where nothing can. */
  readonly options: readonly { readonly name: string; readonly values: readonly string[] }[]
  /** As far as the page tells them apart; one without selections where nothing can be chosen. */
  readonly variants: readonly {
    readonly sku: string | null
    readonly selections: readonly { readonly name: string; readonly value: string }[]
    /** What a guest pays for one now; null where the page does not say it for sure. */
    readonly unitAmount: bigint | null
    readonly isAvailable: boolean
  }[]
}

export type ShopProductAnswer =
  | { readonly kind: 'product'; readonly product: ShopProduct }
  | ShopRefused
  | ShopNoRoom
  /** The shop did not answer. */
  | { readonly kind: 'unavailable'; readonly why: string }

/**
 * The way to the checkout, gone before anybody buys. `nobody`: the goods go into a cart, and the way ends at the page that asks who buys;
 * nothing is typed there. `demo`: it is filled in for a buyer who is made up, as far as the summary before the payment.
 */
export type ShopWayRequest = Pick<ShopLook, 'merchantDomain' | 'site' | 'moreHosts' | 'currency'> &
  Pick<ShopRequest, 'fulfillment'> & {
    readonly items: readonly Pick<ShopItem, 'id' | 'url' | 'quantity' | 'variant'>[]
    readonly buyer: 'nobody' | 'demo'
  }

/** One control of a page as it would be filled in. Never what would stand in it. */
export type ShopControl = {
  /** In the words of the shop, cleaned; empty where nothing is written at it. */
  readonly label: string
  /** Which of the buyer's data it is for; null where nobody knows. */
  readonly field: string | null
  readonly fate: ControlFate
  readonly isRequired: boolean
}

/** Something that a page lets one choose, and which of it is taken; null: what the shop has chosen stands, or nothing was named. */
export type ShopChoice = {
  readonly about: 'variant' | 'account' | 'delivery' | 'payment'
  /** What is written at it; empty where nothing is, or where that says no more. */
  readonly name: string
  readonly alternatives: readonly string[]
  readonly taken: string | null
}

/** One page on the way. */
export type ShopStep = {
  /** What kind of page it is, as it was read. */
  readonly page: string
  /** Without what comes after its path, which may give access to a cart. */
  readonly url: string
  readonly pressed: readonly string[]
  readonly controls: readonly ShopControl[]
  readonly choices: readonly ShopChoice[]
}

/** Why the way was not gone on, in the words in which a purchase would fail there. */
export type ShopStop =
  | Pick<ShopRefused, 'code' | 'message'>
  | { readonly code: 'sign_in' | 'needs_input'; readonly message: string | null }

/** What the way has shown. */
export type ShopWay = {
  /** One for each item: what its page sells, and why it could not be put into the cart. */
  readonly items: readonly { readonly product: ShopProduct | null; readonly stop: ShopStop | null }[]
  /** ISO 4217: what the cart was read in; null where the shop has not said. */
  readonly currency: string | null
  /** Where the buyer is from who was made up; null: nobody was. */
  readonly country: string | null
  /** Null: no page has shown it. */
  readonly mayBeGuest: boolean | null
  /** How far the way was gone. */
  readonly reached: 'product' | 'cart' | 'buyer' | 'payment'
  readonly stop: ShopStop | null
  /** The time was over before the way was: what is not here may be seen by somebody who waits longer. */
  readonly isLate: boolean
  /** What the cart says so far; each part null where it does not. */
  readonly sums: {
    readonly subtotal: bigint | null
    readonly fulfillment: bigint | null
    readonly tax: bigint | null
    readonly discount: bigint | null
    readonly total: bigint
  } | null
  readonly deliveries: readonly {
    readonly label: string
    readonly amount: bigint | null
    readonly isTaken: boolean
  }[]
  readonly steps: readonly ShopStep[]
}

export type ShopWayAnswer =
  | ({ readonly kind: 'way' } & ShopWay)
  | ShopNoRoom
  /** The shop did not answer. */
  | { readonly kind: 'unavailable'; readonly why: string }

export type ShopPlaceRefusalCode = Exclude<PlaceRefusal['code'], 'order_confirmation_timeout' | 'cancelled'>

/**
 * What the page said after the card. `refused` with `isTyped` false: no digit of the card was typed, so nothing can have been ordered.
 * `unknown`: the card was typed, and no confirmation was read.
 */
export type ShopPlaced =
  | {
      readonly kind: 'placed'
      readonly orderId: string | null
      /** Where the buyer sees the order, over https. */
      readonly orderUrl: string | null
    }
  | {
      readonly kind: 'refused'
      readonly code: ShopPlaceRefusalCode
      readonly message: string | null
      readonly isTyped: boolean
    }
  | ShopNoRoom
  | { readonly kind: 'unknown'; readonly why: string }

/** At which point of a purchase a picture was taken. */
export const evidenceStages = [
  'product',
  'cart',
  'address',
  'payment',
  'review',
  'after_submit',
  'confirmation',
] as const
export type EvidenceStage = (typeof evidenceStages)[number]

/** A picture of a page, with all that was typed, all frames of payment and all long numbers masked. */
export type ShopEvidence = {
  readonly stage: EvidenceStage
  readonly at: Date
  readonly urlHost: string
  /** PNG. */
  readonly picture: Buffer
  /** The total that the page shows, as the page writes it. */
  readonly totalText: string | null
  /** All hosts that were contacted so far. */
  readonly hosts: readonly string[]
}
