import { BadRequest, type Fields, isObject } from '../../fields.ts'
import { itemsOf, type Product, type Variant } from '../shop/goods.ts'
import { type Answer, type Call, refusal } from './call.ts'
import { metadata } from './checkout-document.ts'
import { products, storyOf } from './stories.ts'
import { storefront } from './ucp-shop.ts'

type Found = { product: Product; sku: string; id: string; match: 'exact' | 'featured' }

const pageMax = 50
const lookupMax = 50

export function searchCatalog(_shop: unknown, { body, agreed, face }: Call): Answer {
  const query = typeof body.query === 'string' ? body.query.toLowerCase() : ''
  if (query === '' && !isObject(body.filters))
    throw new BadRequest('Say what is looked for: query or filters')
  const words = query.split(/\s+/).filter(Boolean)
  const found = products.filter(
    (product) =>
      words.every((word) => `${product.name} ${product.description}`.toLowerCase().includes(word)) &&
      isWithin(product, body.filters),
  )
  const asked = isObject(body.pagination) ? body.pagination : {}
  const limit = Math.min(pageMax, typeof asked.limit === 'number' && asked.limit >= 1 ? asked.limit : 10)
  const start = typeof asked.cursor === 'string' ? Number(/^after-(\d+)$/.exec(asked.cursor)?.[1] ?? 0) : 0
  const end = Math.min(found.length, start + Math.floor(limit))
  return {
    status: 200,
    body: {
      ucp: metadata(agreed, ['catalog.search']),
      products: found.slice(start, end).map((product) => productOf(product, face.host)),
      pagination: {
        has_next_page: end < found.length,
        ...(end < found.length ? { cursor: `after-${end}` } : {}),
        total_count: found.length,
      },
    },
  }
}

/** By the id of a product or of a variant, or by the address of a page. */
export function lookupCatalog(_shop: unknown, { body, agreed, face }: Call): Answer {
  const ids = idsIn(body)
  const found = ids.flatMap((id) => find(id, face.host) ?? [])
  const missing = ids.filter((id) => found.every((one) => one.id !== id))
  const named = products.filter((product) => found.some((one) => one.product === product))
  return {
    status: 200,
    body: {
      ucp: metadata(agreed, ['catalog.lookup']),
      products: named.map((product) => {
        const shown = productOf(product, face.host)
        const variants = shown.variants.flatMap((variant) => {
          const inputs = found.filter(({ sku }) => sku === variant.id).map(({ id, match }) => ({ id, match }))
          return inputs.length > 0 ? [{ ...variant, inputs }] : []
        })
        return { ...shown, variants }
      }),
      messages: missing.map((id) => ({ type: 'info', code: 'not_found', content: id })),
    },
  }
}

export function getProduct(_shop: unknown, { body, agreed, face }: Call): Answer {
  const found = typeof body.id === 'string' ? find(body.id, face.host) : undefined
  if (found === undefined) return refusal(agreed, 'not_found', 'There is no such product.', 404)
  const { product } = found
  const shown = productOf(product, face.host)
  const selected = selectedIn(body, product) ?? chosenOf(product, found.sku)
  const options = Object.entries(product.options ?? {}).map(([name, labels]) => ({
    name,
    values: labels.map((label) => {
      const others = Object.entries(selected).filter(([other]) => other !== name)
      const matching = (product.variants ?? []).filter(
        ({ choice }) => choice[name] === label && others.every(([other, value]) => choice[other] === value),
      )
      return { label, exists: matching.length > 0, available: matching.some(({ stock }) => stock > 0) }
    }),
  }))
  const chosen = Object.entries(selected).map(([name, label]) => ({ name, label }))
  return {
    status: 200,
    body: {
      ucp: metadata(agreed, ['catalog.lookup']),
      product: { ...shown, ...(options.length > 0 ? { options, selected: chosen } : {}) },
    },
  }
}

function idsIn({ ids }: Fields): string[] {
  if (!Array.isArray(ids) || ids.length === 0) throw new BadRequest('ids must be a list of ids')
  const texts = [...new Set(ids.filter((id): id is string => typeof id === 'string'))]
  if (texts.length > lookupMax)
    throw new BadRequest(`At most ${lookupMax} ids can be asked for at once`, 'request_too_large')
  return texts
}

function find(id: string, host: string): Found | undefined {
  for (const product of products) {
    const items = itemsOf(product)
    const [featured] = items
    if (items.some(({ sku }) => sku === id)) return { product, sku: id, id, match: 'exact' }
    if (featured === undefined) continue
    if (id === productId(product)) return { product, sku: featured.sku, id, match: 'featured' }
    if (!URL.canParse(id)) continue
    const url = new URL(id)
    if (url.host !== host || url.pathname !== `/products/${product.handle}`) continue
    const variant = url.searchParams.get('variant')
    const isNamed = items.some(({ sku }) => sku === variant)
    return isNamed
      ? { product, sku: variant ?? '', id, match: 'exact' }
      : { product, sku: featured.sku, id, match: items.length === 1 ? 'exact' : 'featured' }
  }
  return undefined
}

function productOf(product: Product, host: string) {
  const { currency } = storefront
  const listed = storyOf([itemsOf(product)[0] ?? { sku: '' }]).catalogPrice
  const url = `https://${host}/products/${product.handle}`
  const variants = itemsOf(product).map(({ sku, name, price, stock }) => ({
    id: sku,
    sku,
    title: name,
    description: { plain: product.description },
    price: { amount: listed ?? price, currency },
    availability: { available: stock > 0, status: stock > 0 ? 'in_stock' : 'out_of_stock' },
    url: product.variants === undefined ? url : `${url}?variant=${sku}`,
    options: Object.entries(chosenOf(product, sku)).map(([name, label]) => ({ name, label })),
  }))
  const amounts = variants.map((variant) => variant.price.amount)
  return {
    id: productId(product),
    handle: product.handle,
    title: product.name,
    description: { plain: product.description },
    url,
    price_range: {
      min: { amount: Math.min(...amounts), currency },
      max: { amount: Math.max(...amounts), currency },
    },
    media: [{ type: 'image', url: `https://${host}/media/${product.handle}.svg` }],
    ...(product.options === undefined
      ? {}
      : {
          options: Object.entries(product.options).map(([name, labels]) => ({
            name,
            values: labels.map((label) => ({ label })),
          })),
        }),
    variants,
  }
}

function productId({ handle }: Product): string {
  return `prod_${handle}`
}

function chosenOf(product: Product, sku: string): Variant['choice'] {
  return product.variants?.find((variant) => variant.sku === sku)?.choice ?? {}
}

function selectedIn({ selected }: Fields, product: Product): Record<string, string> | undefined {
  if (!Array.isArray(selected) || selected.length === 0) return undefined
  const pairs = selected.filter(isObject).flatMap(({ name, label }): [string, string][] => {
    const labels = Object.entries(product.options ?? {}).find(([known]) => known === name)?.[1]
    return typeof name === 'string' && typeof label === 'string' && labels?.includes(label)
      ? [[name, label]]
      : []
  })
  return Object.fromEntries(pairs)
}

function isWithin(product: Product, filters: unknown): boolean {
  const price = isObject(filters) && isObject(filters.price) ? filters.price : {}
  const amounts = itemsOf(product).map((item) => item.price)
  return amounts.some(
    (amount) =>
      (typeof price.min !== 'number' || amount >= price.min) &&
      (typeof price.max !== 'number' || amount <= price.max),
  )
}
