import type { readAddress } from '../shop/address.ts'
import type { Cart } from '../shop/cart.ts'
import type { Desk } from '../shop/desk.ts'
import type { Product } from '../shop/goods.ts'
import type { Priced, Tariff } from '../shop/price-cart.ts'
import type { Fill, Html } from '../web/html.ts'
import type { Look } from '../web/layout.ts'
import type { Reply, Visit } from '../web/site.ts'

/** Where a buyer is. `final` is the moment of the last button. */
export type Stage = 'product' | 'cart' | 'address' | 'delivery' | 'payment' | 'final'

export type Method = { id: string; name: string; note?: string }

/** What is typed or chosen to pay, once the address and delivery are there. */
export type Paying = {
  desk: Desk
  front: Storefront
  visit: Visit
  cart: Cart
  priced: Priced
  method: string
}

/** `action` is where the form goes, if not back to the shop. */
export type PaymentPart = { head?: Fill; fields: Fill; button?: string; action?: string }

/**
 * A shop whose pages the server renders, one after the other, as most shop software does it: product, cart, guest or customer, address,
 * delivery, payment, confirmation. The rest is what a shop does in its own way.
 */
export type Storefront = Tariff & {
  look: Look
  locale: string
  /** Where the pages of products are, if not at `/product`. */
  productsAt?: `/${string}`
  methods: readonly Method[]
  /** Where they depend on what is bought. */
  methodsFor?: (cart: Cart) => readonly Method[]
  /** What it asks about the buyer, and how that is kept, where it is not what most shops ask. */
  address?: {
    fields: (typed: URLSearchParams, cart: Cart) => Html
    read: (form: URLSearchParams, cart: Cart) => ReturnType<typeof readAddress>
  }
  /** Another price than the one before. */
  reprice?: (priced: Priced, stage: Stage, cart: Cart) => Priced
  /** Something else instead of this page. */
  instead?: (visit: Visit, cart: Cart, stage: Stage) => Reply | undefined
  /** More on the page of a product. */
  productHead?: (product: Product) => Fill
  productBody?: (product: Product) => Fill
  /** The page of payment does not show where the goods go. */
  hidesAddress?: (cart: Cart) => boolean
  /** Where the card goes on the page of payment; the fields of a card where the shop says nothing. */
  payment?: (cart: Cart, priced: Priced) => PaymentPart
  /** What the last button does; it charges the card where the shop says nothing. */
  pay?: (paying: Paying) => Promise<Reply>
}

export function methodsOf(front: Storefront, cart: Cart): readonly Method[] {
  return front.methodsFor?.(cart) ?? front.methods
}

export function pathOf({ productsAt = '/product' }: Storefront, { handle }: Product): string {
  return `${productsAt}/${handle}`
}

/** The price at a stage: what the shop's book says, and what it makes of it. */
export function priceAt(front: Storefront, stage: Stage, cart: Cart, priced: Priced): Priced {
  return front.reprice?.(priced, stage, cart) ?? priced
}
