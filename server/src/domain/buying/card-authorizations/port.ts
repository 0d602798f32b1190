import type { Mode } from '../../../contract/context.ts'

/** What a merchant asks of a card that a rail has issued, as the rail asks us about it. */
export type CardRequest = {
  readonly mode: Mode
  /** The card, as its rail names it. */
  readonly reference: string
  /** As the rail names it, and which request on it this is: a merchant may ask for more on what it has. */
  readonly authorization: string
  readonly request: number
  readonly amount: bigint
  readonly currency: string
  /** Where the merchant is, as the network of the card has it; null: it does not say. */
  readonly country: string | null
  readonly merchant: NetworkMerchant
}

/** A merchant as the network of a card names it. One merchant may charge under several names. */
export type NetworkMerchant = { readonly id: string; readonly name: string }
