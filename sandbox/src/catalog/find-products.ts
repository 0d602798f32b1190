import { BadRequest, type Fields, isObject } from '../fields.ts'
import type { CatalogProduct, CatalogVariant } from './make-products.ts'

const limitMax = 50

type Page = { products: CatalogProduct[]; pagination: Fields }

/** Every word must be in the title, a category or the name of the shop. */
export function findProducts(catalog: readonly CatalogProduct[], request: Fields): Page {
  const { query, filters, context, pagination } = request
  if (query === undefined && filters === undefined) throw new BadRequest('Give a query or filters')
  const words = typeof query === 'string' ? query.toLowerCase().split(/\s+/).map(singular) : []
  const fits = filterOf(isObject(filters) ? filters : {}, isObject(context) ? context : {})
  const found = catalog.filter((product) => hasAll(product, words) && fits(product))
  const { limit, from } = placeOf(isObject(pagination) ? pagination : {})
  const until = from + limit
  const hasNext = until < found.length
  return {
    products: found.slice(from, until),
    pagination: {
      has_next_page: hasNext,
      ...(hasNext ? { cursor: Buffer.from(`after ${until}`).toString('base64url') } : {}),
      total_count: found.length,
    },
  }
}

/** The products that these ids, SKUs or handles name, each with the variants that are meant. */
export function lookUpProducts(
  catalog: readonly CatalogProduct[],
  { ids }: Fields,
): { products: Fields[]; missing: string[] } {
  if (!Array.isArray(ids) || ids.length === 0 || !ids.every((id) => typeof id === 'string'))
    throw new BadRequest('ids must be a list of ids')
  if (ids.length > 50) throw new BadRequest('At most 50 ids', 'request_too_large')
  const names = [...new Set<string>(ids)]
  const products = catalog.flatMap((product) => {
    const variants = product.variants.flatMap((variant, index) => {
      const inputs = names.flatMap((id) => {
        if (id === variant.id || id === variant.sku) return [{ id, match: 'exact' }]
        const isFeatured = index === 0 && (id === product.id || id === product.handle)
        return isFeatured ? [{ id, match: 'featured' }] : []
      })
      return inputs.length > 0 ? [{ ...variant, inputs }] : []
    })
    return variants.length > 0 ? [{ ...product, variants }] : []
  })
  const found = new Set(
    products.flatMap(({ variants }) => variants.flatMap(({ inputs }) => inputs.map(({ id }) => id))),
  )
  return { products, missing: names.filter((id) => !found.has(id)) }
}

export function findProduct(catalog: readonly CatalogProduct[], { id }: Fields): CatalogProduct | undefined {
  if (typeof id !== 'string') throw new BadRequest('id must be a string')
  const isMeant = (variant: CatalogVariant) => variant.id === id
  const product = catalog.find((one) => one.id === id || one.variants.some(isMeant))
  if (product === undefined) return undefined
  const { variants } = product
  return { ...product, variants: [...variants.filter(isMeant), ...variants.filter((one) => !isMeant(one))] }
}

function hasAll(product: CatalogProduct, words: readonly string[]): boolean {
  const shop = product.variants[0]?.seller.name ?? ''
  const said = [product.title, shop, ...product.categories.map(({ value }) => value)].join(' ').toLowerCase()
  return words.every((word) => said.includes(word))
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word
}

function filterOf(filters: Fields, { currency }: Fields): (product: CatalogProduct) => boolean {
  const categories = Array.isArray(filters.categories) ? filters.categories : null
  const price = isObject(filters.price) && typeof currency === 'string' ? filters.price : {}
  const min = typeof price.min === 'number' ? price.min : 0
  const max = typeof price.max === 'number' ? price.max : Number.MAX_SAFE_INTEGER
  return ({ categories: own, price_range: range, variants }) =>
    (categories === null || own.some(({ value }) => categories.includes(value))) &&
    (typeof currency !== 'string' || range.min.currency === currency) &&
    range.max.amount >= min &&
    range.min.amount <= max &&
    (typeof filters.available !== 'boolean' ||
      variants.some(({ availability }) => availability.available) === filters.available)
}

function placeOf({ limit = 10, cursor }: Fields): { limit: number; from: number } {
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1)
    throw new BadRequest('pagination.limit must be a positive integer')
  if (cursor === undefined) return { limit: Math.min(limit, limitMax), from: 0 }
  const from = /^after (\d{1,6})$/.exec(Buffer.from(String(cursor), 'base64url').toString())?.[1]
  if (from === undefined) throw new BadRequest('pagination.cursor is none of ours')
  return { limit: Math.min(limit, limitMax), from: Number(from) }
}
