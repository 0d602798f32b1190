import type { CallContext } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import type { Asked } from './asked-words.ts'
import { beginning, cursorOf, readCursor } from './cursor.ts'
import { findListings } from './find-listings.ts'
import { matchOf, readNamedItems } from './named-products.ts'
import { type CatalogProduct, productOf } from './product.ts'

/** A search among what one merchant has published. */
type MerchantSearch = {
  readonly query: string | undefined
  readonly categories: readonly string[] | undefined
  /** Prices are compared in it. */
  readonly price: { readonly currency: string; readonly min?: number; readonly max?: number } | undefined
}

type Page = {
  products: CatalogProduct[]
  cursor: string | null
  corrected: Asked['corrected']
}

/** One page of the merchant whose account the call sees; null: the cursor belongs to another search. */
export async function searchMerchant(
  ctx: Pick<CallContext, 'reads' | 'tenant' | 'sealer' | 'now'>,
  search: MerchantSearch,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<Page | null> {
  const { accountId, mode } = ctx.tenant
  const use = { search: { merchant: accountId, ...search }, mode, now: ctx.now }
  const from =
    cursor === undefined ? beginning('relevance') : (readCursor(cursor, use, ctx.sealer)?.published ?? null)
  if (!from) return null
  const { query, categories, price } = search
  const { page, next, corrected } = await findListings(ctx, {
    query,
    filter: {
      mode,
      viewer: accountId,
      merchants: [accountId],
      item_types: null,
      categories: categories ?? null,
      currency: price?.currency ?? null,
      price_min: price?.min ?? null,
      price_max: price?.max ?? null,
      available: null,
    },
    sort: 'relevance',
    from,
    limit,
  })
  return {
    products: page.map(productOf),
    cursor: next && cursorOf({ ...alone, published: next }, use, ctx.sealer).cursor,
    corrected,
  }
}

/** Nothing else is searched than the merchant's own listings. */
const alone = { sources: [], turn: { isOurs: true, source: 0 }, pages: 0, isPartial: false }

/** A product that some names mean, and what each of them means of it. */
type NamedProduct = { product: CatalogProduct; meanings: Meaning[] }

/** The variant that a name means, or null where it means the product as a whole. */
type Meaning = { name: string; variantId: string | null }

/** The published products of a merchant that these names mean. */
export async function readNamedProducts(
  ctx: Pick<CallContext, 'reads' | 'tenant' | 'viewer'>,
  merchant: Id<'acct'>,
  names: readonly string[],
): Promise<NamedProduct[]> {
  const items = await readNamedItems(ctx, merchant, names)
  return items.map((item) => {
    const product = productOf(item)
    const sold = item.variants.filter(({ id }) => product.variants.some((variant) => variant.id === id))
    const meanings = names.flatMap((name): Meaning[] => {
      const own = sold.filter(
        (variant) => [variant.id, variant.sku, variant.barcode].includes(name) && name !== item.id,
      )
      if (own.length > 0) return own.map(({ id }) => ({ name, variantId: id }))
      const [any] = sold
      return any && matchOf(item, any, name) ? [{ name, variantId: null }] : []
    })
    return { product, meanings }
  })
}
