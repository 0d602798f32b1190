import { isHostWithin } from '../../selling/merchant/public.ts'
import type { Source, SourceAnswer, SourceProduct } from '../sources/public.ts'
import type { CatalogProduct } from './product.ts'

/** A source, or a shop whose page was read. */
type Shown = Omit<Source, 'kind'> & { readonly kind: CatalogProduct['source'] }

/**
 * A product of a source as we show it; null: nobody could buy it. A merchant speaks only for itself: its products are its own whatever
 * they say, and addresses elsewhere are left out. A product of a global catalog is the merchant's where its address leads.
 */
export function sourceProductOf(
  { source, isBoughtElsewhere }: Pick<SourceAnswer, 'isBoughtElsewhere'> & { readonly source: Shown },
  found: SourceProduct,
): CatalogProduct | null {
  const { id, title, description, handle, categories, media, options, variants } = found
  const url = source.merchant === null ? found.url : addressWithin(found.url, source.merchant.domain)
  const [first] = variants
  if (!first || (source.merchant === null && url === null)) return null
  const { currency } = first.price
  const amounts = variants.flatMap(({ price }) => (price.currency === currency ? [price.amount] : []))
  return {
    id,
    source: source.kind,
    title,
    description: { plain: description },
    handle,
    url,
    item_type: null,
    categories: categories.map((value) => ({ value })),
    media: [...media],
    options: options.map(({ name, values }) => ({ name, values: values.map((label) => ({ label })) })),
    price_range: {
      min: { amount: Math.min(...amounts), currency },
      max: { amount: Math.max(...amounts), currency },
    },
    variants: variants.map((variant) => ({
      ...variant,
      description: { plain: variant.description },
      barcodes: [...variant.barcodes],
      options: [...variant.options],
    })),
    merchant: merchantOf(source, found, url),
    purchasable: {
      purchase_intent: isBoughtElsewhere && url !== null,
      quote: false,
      ucp: source.sellsOverUcp,
      mpp: false,
    },
  }
}

type Wanted = {
  readonly currency: string | null
  readonly price: { readonly min?: number | undefined; readonly max?: number | undefined } | undefined
  readonly available: boolean | undefined
}

/**
 * The product with the variants in the currency of the search; null where it does not fit. Sources may ignore filters, so they are
 * applied here as for published listings.
 */
export function fitted(found: SourceProduct, { currency, price, available }: Wanted): SourceProduct | null {
  const variants = found.variants.filter(
    (variant) => currency === null || variant.price.currency === currency,
  )
  if (variants.length === 0) return null
  const amounts = variants.map((variant) => variant.price.amount)
  if (price?.min !== undefined && Math.max(...amounts) < price.min) return null
  if (price?.max !== undefined && Math.min(...amounts) > price.max) return null
  if (available !== undefined && variants.some((one) => one.availability.available) !== available) return null
  return { ...found, variants }
}

function merchantOf(
  { id, merchant }: Pick<Source, 'id' | 'merchant'>,
  { sellerName }: SourceProduct,
  url: string | null,
): CatalogProduct['merchant'] {
  if (merchant) return { id, ...merchant }
  const domain = url === null ? null : new URL(url).hostname
  return { id: null, name: sellerName, slug: null, domain, country: null, verified: false }
}

function addressWithin(url: string | null, domain: string): string | null {
  return url !== null && isHostWithin(new URL(url).hostname, domain) ? url : null
}
