import { prepare } from './buy-product.ts'
import { fits } from './match-options.ts'
import type { Doing, Search, Shown, Stored } from './memory.ts'
import { isWithin } from './price-text.ts'
import { searchProducts } from './search-products.ts'
import { shownIn } from './shown-products.ts'
import { subjectOf } from './subject.ts'
import type { Call, Talk, Wanted } from './talk.ts'

const shownMax = 5
/** How far it looks for something that fits: a catalog knows neither every color of its goods nor every name of a shop. */
const pagesMax = 3

/** What a search has answered: shows what fits. */
export function found(talk: Talk, doing: Doing, answer: unknown): Call[] {
  const { search } = talk.memory
  if (!search) return []
  const all = shownIn(answer).filter((product) => isMeant(product, search))
  const inOption = all.filter((product) => fits(product, search.options))
  const unlike = [...(doing.further?.unlike ?? []), ...all].slice(0, shownMax)
  const pages = (doing.further?.pages ?? 0) + 1
  const cursor = cursorIn(answer)
  if (inOption.length === 0 && cursor !== null && pages < pagesMax)
    return searchProducts(talk, { ...search, cursor }, { ...doing, further: { pages, unlike } })
  const isUnlike = inOption.length === 0 && unlike.length > 0
  const ordered = inOrder(isUnlike ? unlike : inOption, search.sort)
  const shown = ordered.slice(0, shownMax)
  const wish = doing.wish
  const isCheaper = wish?.action === 'refine' && wish.cheaper === true
  if (shown.length === 0) {
    const nothing = isCheaper
      ? talk.say.nothingCheaper
      : doing.what === 'more'
        ? talk.say.nothingMore
        : talk.say.nothing(search.query)
    return talk.tell(nothing)
  }
  talk.remember({ shown, speaksOf: 'products', search: { ...search, cursor } })
  talk.show.push(...shown.map(({ id }) => id))
  if (isUnlike) {
    talk.tell(talk.say.noneLikeThat(Object.values(search.options).join(', ')))
    return []
  }
  if (doing.what === 'search_to_buy' && wish?.action === 'buy') return buyFound(talk, wish, shown)
  const [only] = shown
  if (shown.length === 1 && only) talk.tell(talk.say.foundOne(only.title, talk.price(only)))
  else talk.tell(talk.say.found(shown.length), talk.say.which)
  return []
}

/** One that fits is bought. Among several, a person chooses. */
function buyFound(talk: Talk, wish: Wanted<'buy'>, shown: readonly Shown[]): Call[] {
  const [only] = shown
  if (shown.length > 1 || !only) {
    talk.tell(talk.say.found(shown.length), talk.say.which)
    return []
  }
  return prepare(talk, subjectOf(only, wish))
}

function isMeant(product: Shown, search: Stored<Search>): boolean {
  const title = `${product.title} ${product.merchant} ${product.url ?? ''}`.toLowerCase()
  const isOfMerchant = search.merchant === undefined || title.includes(search.merchant.toLowerCase())
  const isWithout = (search.without ?? []).every((word) => !title.includes(word.toLowerCase()))
  return isOfMerchant && isWithout && isWithin(product, search)
}

export function compare(talk: Talk, { by }: Wanted<'compare'>): Call[] {
  const { shown } = talk.memory
  if (shown.length === 0) return talk.tell(talk.say.nothingShown)
  if (by === 'rating') return talk.tell(talk.say.noRatings)
  if (by === 'delivery') return talk.tell(talk.say.noDelivery)
  const sorted = inOrder(shown, 'price')
  talk.remember({ shown: sorted })
  talk.show.push(...sorted.map(({ id }) => id))
  return talk.tell(talk.say.sortedByPrice)
}

function inOrder(products: readonly Shown[], sort: Stored<Search>['sort']): readonly Shown[] {
  if (sort === 'price') return products.toSorted((a, b) => a.amount - b.amount)
  if (sort === 'price_descending') return products.toSorted((a, b) => b.amount - a.amount)
  return products
}

function cursorIn(answer: unknown): string | null {
  const pagination = (answer as { pagination?: { cursor?: unknown } } | null)?.pagination
  return typeof pagination?.cursor === 'string' ? pagination.cursor : null
}
