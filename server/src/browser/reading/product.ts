export type Availability = 'in' | 'out' | 'limited'

export type Price = { readonly amount: bigint; readonly currency: string }

export type ProductVariant = {
  readonly id: string | null
  readonly sku: string | null
  readonly title: string | null
  readonly options: readonly { readonly name: string; readonly value: string }[]
  readonly price: Price | null
  readonly availability: Availability | null
}

export type Product = {
  readonly title: string | null
  readonly sku: string | null
  /** Null where it is not known, or depends on the variant. */
  readonly price: Price | null
  readonly availability: Availability | null
  readonly variants: readonly ProductVariant[]
  /** It is paid again and again, or begins free. */
  readonly isSubscription: boolean
  readonly minimumQuantity: number
}
