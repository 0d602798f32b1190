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
 * What a shop is asked. `product`: what is sold at the address of the only item; `price`: what all items would cost together. The shop
 * learns where the goods would go, no more closely than their price needs, and never for whom.
 */
export type LookRequest = {
  readonly aim: 'product' | 'price'
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
  | 'merchant_unsupported'

type SeenItem = {
  /** What the shop sells there; null: it does not say, or sells nothing there. */
  readonly product: SourceProduct | null
  /** The id of the variant that would be bought; null: none was named clearly enough. */
  readonly variantId: string | null
  /** What one of it costs, in minor units; null: it is not known. */
  readonly unitAmount: number | null
  readonly problem: LookProblem | null
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

/** `share`: for whom it is, where something has to be shared out; nobody learns from it which account that is. */
type LookCall = {
  readonly mode: Mode
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
