import type { FulfillmentStatus } from './machine.ts'

/** What a stranger says of one parcel. */
export type NewsOfShipment = {
  /** How it is found again in a later message. */
  readonly key: string
  readonly status: FulfillmentStatus
  readonly carrier: string | null
  readonly trackingNumber: string | null
  /** https. */
  readonly trackingUrl: string | null
  /** Units by the place of their line in the merchant's own list. */
  readonly lines: readonly { readonly index: number; readonly quantity: number }[]
}

/** What a stranger says of one order: the whole of it, in plain text. It is data of a stranger, and moves no money. */
export type StrangerNews = {
  /** The merchant's own reference. */
  readonly reference: string
  /** Where the buyer sees it, over https. */
  readonly url: string | null
  /** How many lines the merchant has. */
  readonly lineCount: number
  /** Nothing of it comes any more. */
  readonly isCancelled: boolean
  /** All of it was handed over, to a carrier or to the buyer. */
  readonly isFulfilled: boolean
  readonly shipments: readonly NewsOfShipment[]
  readonly refunds: readonly { readonly amount: number; readonly reason: string | null }[]
}
