import type { Preview } from '../../domain/buying/intents/preview/preview-purchase-intent.ts'
import type { CatalogProduct } from '../../domain/discovery/listings/product.ts'
import { note } from '../terminal.ts'
import { type ProductApi, Refusal } from './product-api.ts'

type Merchant = Preview['merchants'][number]
export type SeenProduct = Pick<
  Merchant['products'][number],
  'title' | 'variants' | 'unit_amount' | 'currency_code' | 'price_note'
> & {
  /** Null: none of several was named clearly enough. */
  readonly variant: SeenVariant | null
}
type SeenVariant = Merchant['products'][number]['variants'][number]

/** What would become of a purchase of one item. */
export type Ahead = {
  readonly preview: Preview
  readonly merchant: Merchant | null
  /** Null: nobody has shown what is sold there. */
  readonly product: SeenProduct | null
}

/** A shop that is slower is bought from without having been seen. */
const looksMax = 2

/** Looks at what would be bought, before there is anything that could stay behind. */
export async function lookAhead(api: ProductApi, wish: { items: { url: string }[] }): Promise<Ahead> {
  let preview: Preview = await api.post('/v1/purchase_intents/preview', wish)
  for (let looks = 1; looks < looksMax && preview.merchants.some(({ looking }) => looking); looks++) {
    note('The shop is being looked at …')
    preview = await api.post('/v1/purchase_intents/preview', wish)
  }
  const merchant = preview.merchants[0] ?? null
  const [seen] = merchant?.products ?? []
  const [item] = wish.items
  const product = seen
    ? { ...seen, variant: seen.variants.find(({ id }) => id === seen.variant_id) ?? null }
    : merchant?.channel === 'native' && item
      ? await listedProduct(api, merchant.domain, item.url)
      : null
  return { preview, merchant, product }
}

/** A merchant of this service has shown its items in the catalog. */
async function listedProduct(api: ProductApi, domain: string, url: string): Promise<SeenProduct | null> {
  const listed: CatalogProduct | { object: string } | null = await api
    .post('/v1/catalog/product', { id: url, merchant: { domain } })
    .catch((error: unknown) => {
      // What the catalog does not show may be for sale all the same.
      if (error instanceof Refusal) return null
      throw error
    })
  if (listed === null || !('variants' in listed)) return null
  const { title, variants } = listed
  const [only, second] = variants
  const variant = second ? null : (only ?? null)
  return {
    title,
    variants,
    variant,
    unit_amount: variant?.price.amount ?? null,
    price_note: null,
    currency_code: variant?.price.currency ?? null,
  }
}
