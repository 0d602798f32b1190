import type { Mode } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import type { Release } from '../../../protocols/ucp/releases.ts'

/** Why a checkout is not ready, or something to know about it. `path`: the field, as JSONPath from the checkout. */
export type CheckoutMessage = {
  readonly type: 'error' | 'warning' | 'info'
  readonly code: string
  readonly content: string
  readonly path?: string
  /** Of an error: whether the platform can mend it, by a field, or by nothing. */
  readonly severity?: 'recoverable' | 'unrecoverable'
}

export type CheckoutLine = {
  readonly id: string
  /** The variant. */
  readonly item_id: string
  readonly quantity: number
  readonly catalog_item_id: Id<'cat'>
  readonly catalog_variant_id: string
  readonly sku: string | null
  readonly title: string
  readonly url: string | null
  readonly unit_amount: number
}

export type CheckoutBuyer = {
  readonly first_name: string | null
  readonly last_name: string | null
  readonly email: string | null
  readonly phone: string | null
}

/** Where the goods may go. The fields of an address are those of an order's. */
export type CheckoutDestination = {
  readonly id: string
  readonly recipient_name: string | null
  readonly line1: string | null
  readonly line2: string | null
  readonly city: string | null
  readonly state: string | null
  readonly postal_code: string | null
  readonly country: string | null
}

/** A way to deliver the goods: a rate card, or the one way of a merchant that has none. */
export type CheckoutOption = {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly carrier: string | null
  readonly amount: number
  readonly earliest: string | null
  readonly latest: string | null
}

/** How the goods get to the buyer; null where nothing is sent. */
export type CheckoutDelivery = {
  readonly destinations: readonly CheckoutDestination[]
  readonly selected_destination_id: string | null
  readonly options: readonly CheckoutOption[]
  readonly selected_option_id: string | null
}

/** The price as far as it is known: without a destination there is no fulfillment in it yet. */
export type CheckoutPrice = {
  readonly subtotal: number
  readonly fulfillment: number
  readonly tax: number
  readonly discount: number
  readonly total: number
  readonly tax_basis_points: number | null
  /** The promotions that lowered it, in their order. Rows of before have none. */
  readonly discounts?: readonly CheckoutDiscount[]
}

export type CheckoutDiscount = {
  readonly promotion_id: string
  readonly title: string
  /** As the platform sent it; null: the promotion needs none. */
  readonly code: string | null
  readonly amount: number
  /** How much of it is of each line, in their order; the rest is of the fulfillment. */
  readonly of_lines: readonly number[]
}

export type OrderNotify = {
  /** Null: it is not told. */
  readonly webhook_url: string | null
  readonly release: Release
  /** The address of the business, which the platform knows. */
  readonly business: string
}

/** `open`: it can be changed, completed and canceled. `completing`: a payment was begun, whose sale says how it stands. */
type CheckoutState = 'open' | 'completing' | 'canceled'

export type CheckoutRow = {
  account_id: Id<'acct'>
  mode: Mode
  id: Id<'cko'>
  /** The address of the profile of the platform that opened it: nobody else may read it. */
  platform: string
  /** Whether it was opened by a signed request: then nobody else reads or changes it by naming the profile. */
  is_signed: boolean
  state: CheckoutState
  currency: string
  lines: readonly CheckoutLine[]
  buyer: CheckoutBuyer | null
  delivery: CheckoutDelivery | null
  /** Codes for a discount, as the platform sent them. */
  codes: readonly string[]
  price: CheckoutPrice
  messages: readonly CheckoutMessage[]
  /** What the platform wants to find on the order again. */
  attribution: Readonly<Record<string, string>>
  /** Where the platform wants to be told of the order, in which release, and by which business. Null before a payment is tried. */
  notify: OrderNotify | null
  /** How many payments were tried. */
  payments: number
  /** The last of them. */
  sale_id: Id<'sal'> | null
  order_id: Id<'ord'> | null
  expires_at: Date
  created_at: Date
  updated_at: Date
}
