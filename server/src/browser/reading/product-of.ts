import { intentOf, rankActions } from './action-of.ts'
import { currencyOfPlace } from './currency-marks.ts'
import { cleanText } from './json-ld.ts'
import { type AmountHint, readAmount, readAmounts } from './money-text.ts'
import type { PageSnapshot } from './page-snapshot.ts'
import { type PriceLine, priceLines } from './price-lines.ts'
import { priceOf } from './price-of.ts'
import type { Availability, Price, Product, ProductVariant } from './product.ts'
import {
  currencyOfData,
  type ProductData,
  productOfJsonLd,
  productOfMeta,
  productOfMicrodata,
} from './product-data.ts'
import { findWords, tokensOf } from './words/words.ts'

/**
 * The product of a page: structured data first, and what is seen where that says nothing. Its price is what one unit costs a guest now, by
 * both. `currency` is the one that is expected: it tells dollars from dollars.
 */
export function productOf(snapshot: PageSnapshot, currency: string | null = null): Product {
  const hint = { currency, language: snapshot.language, local: localCurrency(snapshot) }
  const data = [
    productOfJsonLd(snapshot, hint),
    productOfMicrodata(snapshot, hint),
    productOfMeta(snapshot, hint),
  ].filter((one) => one !== null)
  const below = linesBelowTitle(snapshot)
  const lines = below.map(({ text }) => text)
  const title = first(data, (one) => one.title) ?? cleanText(snapshot.headings[0] ?? snapshot.title, 300)
  const shown = shownPrices(snapshot, below, { title, hint })
  const price = priceOf(pricesOf(data), shown)
  const variants = first(data, (one) => (one.variants.length > 0 ? one.variants : null)) ?? []
  return {
    title,
    sku: first(data, ({ sku }) => sku),
    price: isPriceOfOne(variants) ? price : null,
    availability: availabilityOf(data, lines, snapshot),
    variants: agreeing(variants, priceOf([], shown)),
    isSubscription: data.some((one) => one.isSubscription) || isSoldAgain(lines, snapshot),
    minimumQuantity: first(data, (one) => one.minimumQuantity) ?? minimumOfLines(lines, snapshot.language),
  }
}

function pricesOf(data: readonly ProductData[]): Price[] {
  const all = data.flatMap(({ price }) => price ?? [])
  return all.filter(
    (one, at) =>
      all.findIndex(({ amount, currency }) => amount === one.amount && currency === one.currency) === at,
  )
}

/** Variants that all cost the same, or none that are named. */
function isPriceOfOne(variants: readonly ProductVariant[]): boolean {
  return (
    variants.length < 2 ||
    new Set(variants.map(({ price }) => `${price?.amount} ${price?.currency}`)).size === 1
  )
}

/** Where the page shows a price that no variant has, nobody knows what any of them costs. */
function agreeing(variants: readonly ProductVariant[], seen: Price | null): readonly ProductVariant[] {
  const isKnown = ({ price }: ProductVariant) =>
    price === null || (price.amount === seen?.amount && price.currency === seen.currency)
  if (seen === null || variants.length === 0 || variants.some(isKnown)) return variants
  return variants.map((variant) => ({ ...variant, price: null }))
}

/** The currency of the place that a page is for: as its data says, its language, or its domain. */
function localCurrency(snapshot: PageSnapshot): string | null {
  const said = currencyOfData(snapshot)
  if (said !== null) return said
  const locale = snapshot.meta.find(({ name }) => name.toLowerCase() === 'og:locale')?.content ?? ''
  const region =
    /^[a-z]{2,3}(?:-[a-z]{4})?-([a-z]{2})$/u.exec(snapshot.language)?.[1] ?? /_([A-Z]{2})$/u.exec(locale)?.[1]
  const domain = /(\.com?)?\.([a-z]{2})$/u.exec(URL.parse(snapshot.url)?.hostname ?? '')
  // Names that are sold all over the world say nothing.
  const isCountry =
    domain !== null && (domain[1] !== undefined || !/^(?:co|ly|ar|ai|io|is|me|tv)$/u.test(domain[2] ?? ''))
  return (
    currencyOfPlace[(isCountry ? domain[2] : region)?.toLowerCase() ?? ''] ??
    currencyOfPlace[region?.toLowerCase() ?? ''] ??
    null
  )
}

function first<T>(data: readonly ProductData[], read: (one: ProductData) => T | null): T | null {
  for (const one of data) {
    const value = read(one)
    if (value !== null) return value
  }
  return null
}

const linesRead = 60

type Line = { readonly text: string; readonly at: number }

/** What stands below the main heading: the product, before anything that is recommended beside it. */
function linesBelowTitle({ text, headings }: PageSnapshot): Line[] {
  const lines = text.split('\n').map((line, at) => ({ text: line.trim(), at }))
  const [heading = ''] = headings
  const start = heading === '' ? -1 : lines.findIndex((line) => line.text === heading.trim())
  return lines.slice(start + 1, start + 1 + linesRead).filter((line) => line.text !== '')
}

/** The amounts as far as the page is about this product: until it goes into the cart, or another heading begins. */
function shownPrices(
  snapshot: PageSnapshot,
  below: readonly Line[],
  { title, hint }: { title: string | null; hint: AmountHint },
): PriceLine[] {
  const headings = new Set(snapshot.headings.slice(1).map((one) => one.trim()))
  const buttons = new Set(
    [...rankActions(snapshot, 'add_to_cart'), ...rankActions(snapshot, 'buy_now')].map(({ name }) =>
      name.trim(),
    ),
  )
  const isEnd = ({ text }: Line) => headings.has(text) || buttons.has(text) || beside.test(text)
  const hasPriceIn = (lines: readonly Line[]) => lines.some(({ text }) => readAmounts(text, hint).length > 0)
  // Some have their button above the price.
  const end = below.findIndex((line, at) => isEnd(line) && hasPriceIn(below.slice(0, at)))
  const near = end < 0 ? below : below.slice(0, end)
  return priceLines(
    {
      lines: near.map(({ text }) => text),
      struck: snapshot.struck.map(({ line, text }) => ({
        line: near.findIndex(({ at }) => at === line),
        text,
      })),
      own: new Set(tokensOf((title ?? '').toLowerCase())),
    },
    hint,
  )
}

/** Where other products begin. */
const beside =
  /^(?:you (?:may|might) also (?:like|love)|related products|customers also|frequently bought|recommended|similar (?:items|products)|more (?:from|like)|das könnte (?:dir|ihnen)|ähnliche (?:artikel|produkte)|kunden kauften|vous aimerez|produits (?:similaires|associés)|también te|productos (?:relacionados|similares)|potrebbe(?:ro)? (?:anche )?interessarti|prodotti (?:correlati|simili)|gerelateerde producten|misschien vind|você também|produtos (?:relacionados|semelhantes)|podobne produkty|może ci|liknande produkter|du kanske|関連商品|おすすめ|この商品を|相关(?:商品|产品)|猜你喜欢|相關商品|관련 상품|추천 상품|похожие товары|с этим товаром|benzer ürünler|související|podobné|hasonló)/iu

function availabilityOf(
  data: readonly ProductData[],
  lines: readonly string[],
  snapshot: PageSnapshot,
): Availability | null {
  const structured = first(data, ({ availability }) => availability)
  const canBuy =
    rankActions(snapshot, 'add_to_cart').length > 0 || rankActions(snapshot, 'buy_now').length > 0
  const said = statesOf(lines, snapshot.language)
  // A choice that is still open may be what disables the button.
  const isOpen = snapshot.controls.some(({ kind }) => kind === 'select' || kind === 'radio')
  if (!canBuy && said.has('sold_out') && !isOpen) return 'out'
  if (structured !== null) return structured
  if (canBuy) return said.has('low_stock') ? 'limited' : 'in'
  return null
}

function statesOf(lines: readonly string[], language: string): Set<string> {
  return new Set(
    lines
      .filter((line) => line.length <= 160)
      .flatMap((line) => findWords('states', line, language).map(({ key }) => key)),
  )
}

/**
 * It is said beside an amount, or in more than one word, that it is paid again; an offer to subscribe that stands beside buying once says
 * nothing, unless it is chosen.
 */
function isSoldAgain(lines: readonly string[], snapshot: PageSnapshot): boolean {
  const { language, controls, actions } = snapshot
  const isSaid = (line: string) => saysSubscription(line, language)
  const choices = controls.filter(({ kind, label }) => kind === 'radio' && isSaid(label))
  if (choices.length > 0) return choices.some(({ isChecked }) => isChecked)
  const buysOnce = actions.some((action) => intentOf(action, language) === 'add_to_cart')
  const subscribes = actions.some(({ name }) => name.length < 60 && isSaid(name))
  if (subscribes && buysOnce) return false
  return lines.some((line) => line.length <= 200 && isSaid(line))
}

function saysSubscription(line: string, language: string): boolean {
  const found = findWords('states', line, language).filter(({ key }) => key === 'subscription')
  if (found.length === 0) return false
  const isPhrase = found.some(({ length }) => length > 1)
  const words = tokensOf(line).length
  if (readAmounts(line, { currency: null, language }).length > 0) return isPhrase || words <= 12
  return words <= (isPhrase ? 8 : 3)
}

function minimumOfLines(lines: readonly string[], language: string): number {
  for (const line of lines) {
    if (line.length > 160) continue
    const minimum = minimumIn(line, language)
    if (minimum !== null) return minimum
  }
  return 1
}

/** The number that a sentence asks for at least: `Minimum quantity: 6`. An amount of money is none. */
function minimumIn(line: string, language: string): number | null {
  const found = findWords('states', line, language).find(({ key }) => key === 'minimum_quantity')
  if (found === undefined || readAmount(line, { currency: null, language }) !== null) return null
  const after = tokensOf(line).slice(found.start + found.length, found.start + found.length + 5)
  const number = after.find((token) => /^\d{1,4}$/u.test(token))
  return number === undefined || Number(number) < 2 ? null : Number(number)
}
