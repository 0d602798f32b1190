/** The facts about a merchant; null is unknown, whatever the merchant claims. */
export type PurchaseMerchant = {
  readonly domain: string | null
  /** Names that it only claims: they allow nothing, and block lists are compared with them too. */
  readonly claims?: readonly string[]
  readonly mcc: string | null
  readonly country: string | null
}

/** A purchase, as far as policies need it. */
export type Purchase = {
  readonly currency: string
  readonly expected: bigint
  /** The most that it may cost before policies lower it. */
  readonly cap: bigint
  readonly feeAllowance: bigint
  /** The amount that earlier attempts of the same purchase were charged; windows include it already, a limit per purchase does not. */
  readonly charged?: bigint
  readonly merchants: readonly PurchaseMerchant[]
  /** Null when nothing is shipped. */
  readonly shippingCountry: string | null
}

/**
 * `create`: may it be bought, and unattended? `again`: the same for a purchase that was counted when it was created. `approve`: a person
 * has approved it, now or earlier; may it still be bought?
 */
export type DecisionOccasion = 'create' | 'again' | 'approve'
