/** What is known of a merchant; null is unknown, whatever it claims. */
export type PurchaseMerchant = {
  readonly domain: string | null
  /** Names that it only goes by: they allow nothing, and block lists are matched against them too. */
  readonly claims?: readonly string[]
  readonly mcc: string | null
  readonly country: string | null
}

/** What is to be bought, as far as policies care. */
export type Purchase = {
  readonly currency: string
  readonly expected: bigint
  /** The most it may cost before policies lower it. */
  readonly cap: bigint
  readonly feeAllowance: bigint
  /** What earlier attempts of the same purchase were charged; windows have it already, a limit of one purchase does not. */
  readonly charged?: bigint
  readonly merchants: readonly PurchaseMerchant[]
  /** Null when nothing is shipped. */
  readonly shippingCountry: string | null
}

/**
 * `create`: may it be bought, and without asking? `again`: the same of a purchase that was counted when it was created. `approve`:
 * somebody has said yes, or said so earlier; may it still be bought?
 */
export type DecisionOccasion = 'create' | 'again' | 'approve'
