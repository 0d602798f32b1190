/** What a shop sells. Amounts are minor units of the shop's currency. */
export type Product = {
  handle: string
  name: string
  description: string
  price: number
  /** Nothing: as many as anybody wants. */
  stock?: number
  minimum?: number
  /** What of it can be chosen, such as color and size, with one variant for each choice that exists. */
  options?: Readonly<Record<string, readonly string[]>>
  variants?: readonly Variant[]
  /** Digital goods and subscriptions are delivered to nobody. */
  isDigital?: true
}

export type Variant = {
  sku: string
  choice: Readonly<Record<string, string>>
  price: number
  stock: number
}

/** What can be put into a cart: a product, or one of its variants. */
type Item = {
  sku: string
  name: string
  price: number
  stock: number
  minimum: number
  product: Product
}

const plenty = 1_000

export function findProduct(products: readonly Product[], handle: string | undefined): Product | undefined {
  return products.find((product) => product.handle === handle)
}

export function findItem(products: readonly Product[], sku: string): Item | undefined {
  return products.flatMap(itemsOf).find((item) => item.sku === sku)
}

export function itemsOf(product: Product): Item[] {
  const { handle, name, price, stock = plenty, minimum = 1 } = product
  if (product.variants === undefined) return [{ sku: handle, name, price, stock, minimum, product }]
  return product.variants.map((variant) => ({
    sku: variant.sku,
    name: `${name} – ${Object.values(variant.choice).join(', ')}`,
    price: variant.price,
    stock: variant.stock,
    minimum,
    product,
  }))
}
