/** A buyer's address as shops ask for it. */
export type Address = {
  name: string
  line1: string
  line2: string
  city: string
  region: string
  postalCode: string
  country: string
  phone: string
}

export type Cart = {
  id: string
  lines: readonly { sku: string; quantity: number }[]
  email: string | null
  address: Address | null
  delivery: string | null
  promo: string | null
  method: string | null
  /** Who is signed in. */
  account: string | null
  /** What a shop remembers of this visitor besides. */
  notes: Readonly<Record<string, string>>
  /** The order that it became. */
  orderId: string | null
}
