import type { Doing, Search, Stored } from './memory.ts'
import { type Limit, limitIn } from './price-text.ts'
import type { Call, Talk, Wanted } from './talk.ts'

const searchedMax = 10

/** Searches the catalog. `doing`: for what it is done. */
export function searchProducts(
  talk: Talk,
  search: Stored<Search>,
  doing: Doing = { what: 'search', wish: null },
): Call[] {
  talk.remember({
    search,
    doing,
    asks: null,
    ...(doing.what === 'search_to_buy' ? {} : { subject: null }),
  })
  const currency = search.max?.currency ?? search.min?.currency ?? talk.memory.shown[0]?.currency ?? null
  const isPriced = search.max !== undefined || search.min !== undefined || isByPrice(search)
  const limit = (price: Limit | undefined) =>
    price === undefined || currency === null ? undefined : (limitIn(price, currency) ?? undefined)
  const price = { min: limit(search.min), max: limit(search.max) }
  const isFiltered = currency !== null && (price.min !== undefined || price.max !== undefined)
  const domain =
    search.merchant !== undefined && /^[^\s.]+(\.[^\s.]+)+$/.test(search.merchant) ? search.merchant : null
  const filters = {
    ...(isFiltered ? { price: JSON.parse(JSON.stringify(price)) } : {}),
    ...(domain === null ? {} : { merchants: [{ domain: domain.toLowerCase() }] }),
  }
  const sort =
    search.sort === 'price' ? 'price_asc' : search.sort === 'price_descending' ? 'price_desc' : null
  return [
    {
      name: 'v1_search_catalog',
      args: {
        query: search.query.slice(0, 255),
        ...(currency !== null && isPriced ? { context: { currency } } : {}),
        ...(Object.keys(filters).length > 0 ? { filters } : {}),
        ...(sort !== null && currency !== null ? { sort } : {}),
        pagination: { limit: searchedMax, ...(search.cursor === null ? {} : { cursor: search.cursor }) },
      },
    },
  ]
}

export function refine(talk: Talk, wish: Wanted<'refine'>): Call[] {
  const { search, shown } = talk.memory
  if (!search) return talk.tell(talk.say.nothingShown)
  const cheapest = shown.toSorted((a, b) => a.amount - b.amount)[0]
  const cheaper =
    wish.cheaper && cheapest
      ? { max: { amount: cheapest.amount - 1, currency: cheapest.currency }, sort: 'price' as const }
      : {}
  const { action: _, cheaper: __, more, options, ...terms } = wish
  const changed: Stored<Search> = {
    ...search,
    ...cheaper,
    ...terms,
    options: { ...search.options, ...options },
    cursor: more ? search.cursor : null,
  }
  if (more && search.cursor === null) return talk.tell(talk.say.nothingMore)
  return searchProducts(talk, changed, { what: more ? 'more' : 'refine', wish })
}

function isByPrice({ sort }: Pick<Stored<Search>, 'sort'>): boolean {
  return sort === 'price' || sort === 'price_descending'
}
