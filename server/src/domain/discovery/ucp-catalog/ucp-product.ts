import type { CatalogProduct } from '../listings/public.ts'
import { type Filtered, priceOf } from './catalog-request.ts'

type Variant = CatalogProduct['variants'][number]

/** A product as the protocol has it: what a merchant has not said is left out. The releases that have a catalog agree on it. */
export function ucpProduct(
  product: CatalogProduct,
  variants: readonly object[] = product.variants.map(ucpVariant),
) {
  const { id, title, description, handle, url, categories, media, price_range } = product
  const options = optionsOf(product)
  return {
    id,
    ...(handle === null ? {} : { handle }),
    title,
    description,
    ...(url === null ? {} : { url }),
    ...(categories.length > 0 ? { categories } : {}),
    price_range,
    ...(media.length > 0 ? { media: media.map(ucpMedium) } : {}),
    ...(options.length > 0 ? { options } : {}),
    variants,
  }
}

/** What buyers can choose: what the merchant says, and where it says nothing, what its variants have. */
export function optionsOf({
  options,
  variants,
}: CatalogProduct): { name: string; values: { label: string }[] }[] {
  const said = options.filter(({ values }) => values.length > 0)
  if (said.length > 0) return said
  const chosen = variants.flatMap((variant) => variant.options)
  return [...Map.groupBy(chosen, ({ name }) => name)].map(([name, choices]) => ({
    name,
    values: [...new Set(choices.map(({ label }) => label))].map((label) => ({ label })),
  }))
}

export function ucpVariant({ id, sku, barcodes, title, description, price, availability, options }: Variant) {
  return {
    id,
    ...(sku === null ? {} : { sku }),
    ...(barcodes.length > 0 ? { barcodes } : {}),
    title,
    description,
    price,
    availability,
    ...(options.length > 0 ? { options } : {}),
  }
}

function ucpMedium({ type, url, alt_text }: CatalogProduct['media'][number]) {
  return { type, url, ...(alt_text === null ? {} : { alt_text }) }
}

/** The product with the variants that the filters leave, or null where they leave none. */
export function filtered(
  product: CatalogProduct,
  request: Pick<Filtered, 'context' | 'filters'>,
): CatalogProduct | null {
  const { categories } = request.filters ?? {}
  const isIn =
    categories === undefined || product.categories.some(({ value }) => categories.some(isSame(value)))
  if (!isIn) return null
  const price = priceOf(request)
  if (!price) return product
  const variants = product.variants.filter(
    ({ price: { amount, currency } }) =>
      currency === price.currency &&
      amount >= (price.min ?? 0) &&
      amount <= (price.max ?? Number.POSITIVE_INFINITY),
  )
  return variants.length > 0 ? { ...product, variants } : null
}

function isSame(value: string): (other: string) => boolean {
  return (other) => other.trim().toLowerCase() === value.trim().toLowerCase()
}

/** The variant that stands for its product: the first one that can be bought. */
export function featuredOf(variants: readonly Variant[]): Variant | undefined {
  return variants.find(({ availability }) => availability.available) ?? variants[0]
}
