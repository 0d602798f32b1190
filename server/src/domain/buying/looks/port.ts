import type { Mode } from '../../../contract/context.ts'
import { definePort } from '../../../contract/port.ts'
import type { Place } from '../../../core/place.ts'
import type { SourceProduct } from '../../discovery/sources/public.ts'

/** One line of what would be bought. */
export type LookItem = {
  readonly url: string
  readonly quantity: number
  readonly variant: {
    readonly id?: string | undefined
    readonly sku?: string | undefined
    readonly selections?: readonly { readonly name: string; readonly value: string }[] | undefined
  } | null
}

/**
 * What a shop is asked. `product`: what is sold at the address of the only item; `price`: what all items would cost together; `check`: the
 * same, and each step on the way there. The shop learns where the goods would go, no more closely than their price needs, and never for
 * whom. `demo`: each step for a buyer who is made up, with pictures, as far as the summary before the payment.
 */
export type LookRequest = {
  readonly aim: 'product' | 'price' | 'check' | 'demo'
  /** The origin of the shop. */
  readonly site: string
  readonly items: readonly LookItem[]
  /** ISO 4217; null: as the shop likes. */
  readonly currency: string | null
  readonly method: 'ship' | 'pickup' | 'digital'
  readonly speed: 'cheapest' | 'fastest'
  /** With `fastest`: the most that it may cost, in minor units. */
  readonly feeAllowance: number | null
  readonly place: Place | null
}

/** Why an item cannot be bought as it was asked for. */
export type LookProblem =
  | 'product_not_found'
  | 'product_out_of_stock'
  | 'insufficient_stock'
  | 'variant_required'
  | 'unsupported_currency'
  | 'address_undeliverable'
  | 'captcha_blocked'
  | 'merchant_auth_failed'
  | 'input_not_given'
  | 'merchant_unsupported'

type SeenItem = {
  /** What the shop sells there; null: it does not say, or sells nothing there. */
  readonly product: SourceProduct | null
  /** The id of the variant that would be bought; null: none was named clearly enough. */
  readonly variantId: string | null
  /** What one of it costs, in minor units; null: it is not known. */
  readonly unitAmount: number | null
  readonly problem: LookProblem | null
  /** What the shop says of the problem, or where it came up. */
  readonly message?: string
  /** What the shop calls it, where its page does not say for sure what one costs. */
  readonly unclear?: { readonly title: string }
}

/** A way in which the goods can come, in minor units. */
type SeenDelivery = {
  readonly title: string
  readonly amount: number
  /** When it is there at the latest, as far as that is said. */
  readonly latest: string | null
  readonly isChosen: boolean
}

/** What all of it costs, in minor units. */
type SeenMoney = {
  readonly subtotal: number
  readonly fulfillment: number
  readonly tax: number
  readonly discount: number
  readonly total: number
}

/** What the pages of a shop say of a sum, each part null where they do not say it. */
type SeenSums = {
  readonly subtotal: number | null
  readonly fulfillment: number | null
  readonly tax: number | null
  readonly discount: number | null
  readonly total: number
}

/** What becomes of a control: who or what decides it, and what would stop a purchase there. */
export const controlFates = ['typed', 'chosen', 'ticked', 'card', 'asked', 'secret', 'stuck', 'left'] as const
export type ControlFate = (typeof controlFates)[number]

export const choicesAbout = ['variant', 'account', 'delivery', 'payment'] as const

/** One page on the way to the payment, with what would be filled in there, and never what that would be. */
type SeenStep = {
  readonly page: string
  readonly url: string
  readonly pressed: readonly string[]
  readonly controls: readonly {
    /** Words of the shop. */
    readonly label: string
    /** Which of the buyer's data it is for; null where nobody knows. */
    readonly field: string | null
    readonly fate: ControlFate
    readonly isRequired: boolean
  }[]
  readonly choices: readonly {
    readonly about: (typeof choicesAbout)[number]
    readonly name: string
    readonly alternatives: readonly string[]
    readonly taken: string | null
  }[]
}

/** A picture of a page, as a buyer who is made up has seen it. */
type SeenPicture = {
  readonly stage: string
  readonly urlHost: string
  /** PNG, in Base64. */
  readonly png: string
}

export const wayEnds = ['product', 'cart', 'buyer', 'payment'] as const

/** How far the way through the pages of a shop was gone before anything is bought, and what was seen there. */
type SeenWay = {
  readonly reached: (typeof wayEnds)[number]
  readonly mayBeGuest: boolean | null
  /** Why it was not gone on, other than for an item. */
  readonly stop: { readonly code: LookProblem; readonly message: string | null } | null
  /** The time was over before the way was. */
  readonly isLate?: true
  readonly sums: SeenSums | null
  /** Where the buyer is from who was made up; null: nobody was. */
  readonly country: string | null
  /** Left out where nobody has asked for them. */
  readonly steps?: readonly SeenStep[]
  readonly pictures?: readonly SeenPicture[]
}

/** What a shop has shown. */
export type Sight = {
  /** In the order of the request. */
  readonly items: readonly SeenItem[]
  /** Of all amounts. */
  readonly currency: string | null
  /** Null: fulfillment or tax is not known before it is bought. */
  readonly money: SeenMoney | null
  readonly deliveries: readonly SeenDelivery[]
  /** Whether something can be paid with that the shop takes. */
  readonly isPayable: boolean
  /** Left out where no pages were gone through. */
  readonly way?: SeenWay
}

/**
 * `elsewhere`: nothing can be seen in this way, so the next one is tried. `unavailable`: it did not answer, and may do so later. `no_room`:
 * it was not asked, because what a look needs of our own is all in use.
 */
export type Looked =
  | { readonly kind: 'seen'; readonly sight: Sight }
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'no_room' }

/**
 * `share`: for whom it is, where something has to be shared out; nobody learns from it which account that is. `moreHosts`: those that an
 * operator has named for the shop.
 */
type LookCall = {
  readonly mode: Mode
  readonly moreHosts: readonly string[]
  readonly share: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** One way of looking at a shop, named like the way of buying that it belongs to. It orders nothing, and knows no card. */
export type ShopLooker = (request: LookRequest, call: LookCall) => Promise<Looked>

export type LookerName = 'ucp' | 'browser'

/** A way of looking as the composition lists it. `open` returns null in a process that was not given what it needs. */
export type LookerDeclaration<Given> = {
  readonly name: LookerName
  readonly modes: readonly Mode[]
  open(given: Given): ShopLooker | null
}

/** Bound by processes that look. */
export const ShopLookers =
  definePort<
    readonly { readonly name: LookerName; readonly modes: readonly Mode[]; readonly look: ShopLooker }[]
  >('shop lookers')

/** What became of a look. `unsupported`: there is no way to see anything of this shop. */
export type LookAnswer =
  | { readonly kind: 'seen'; readonly channel: LookerName; readonly sight: Sight }
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'unavailable' }
