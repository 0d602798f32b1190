import { intentOf, rankActions } from './action-of.ts'
import { cleanText } from './json-ld.ts'
import { type AmountHint, readAmount, readAmounts } from './money-text.ts'
import type { PageSnapshot } from './page-snapshot.ts'
import type { Availability, Price, Product } from './product.ts'
import { type ProductData, productOfJsonLd, productOfMeta, productOfMicrodata } from './product-data.ts'
import { findWords, tokensOf } from './words/words.ts'

/**
 * The product of a page: structured data first, and what is seen where that says nothing. `currency` is the one that is expected: it tells
 * dollars from dollars.
 */
export function productOf(snapshot: PageSnapshot, currency: string | null = null): Product {
  const data = [productOfJsonLd(snapshot), productOfMicrodata(snapshot), productOfMeta(snapshot)].filter(
    (one) => one !== null,
  )
  const lines = linesBelowTitle(snapshot)
  return {
    title: first(data, ({ title }) => title) ?? cleanText(snapshot.headings[0] ?? snapshot.title, 300),
    sku: first(data, ({ sku }) => sku),
    price:
      first(data, ({ price }) => price) ??
      (hasVariants(data) ? null : priceOfLines(lines, { currency, language: snapshot.language })),
    availability: availabilityOf(data, lines, snapshot),
    variants: first(data, ({ variants }) => (variants.length > 0 ? variants : null)) ?? [],
    isSubscription: data.some((one) => one.isSubscription) || isSoldAgain(lines, snapshot),
    minimumQuantity: first(data, (one) => one.minimumQuantity) ?? minimumOfLines(lines, snapshot.language),
  }
}

function first<T>(data: readonly ProductData[], read: (one: ProductData) => T | null): T | null {
  for (const one of data) {
    const value = read(one)
    if (value !== null) return value
  }
  return null
}

function hasVariants(data: readonly ProductData[]): boolean {
  return data.some(({ variants }) => variants.length > 1)
}

const linesRead = 60

/** What stands below the main heading: the product, before anything that is recommended beside it. */
function linesBelowTitle({ text, headings }: PageSnapshot): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  const [heading = ''] = headings
  const start = heading === '' ? -1 : lines.indexOf(heading.trim())
  return lines.slice(start + 1, start + 1 + linesRead).filter((line) => line !== '')
}

/** The first line that is hardly more than one amount, and is not of an earlier price or of the delivery. */
function priceOfLines(lines: readonly string[], hint: AmountHint): Price | null {
  const { language } = hint
  for (const line of lines) {
    if (line.length > 60) continue
    const read = readAmount(line, hint)
    if (read === null || read.currency === null || read.amount <= 0n) continue
    if (
      findWords('states', line, language).some(
        ({ key }) => key === 'from_price' || key === 'minimum_quantity',
      )
    )
      continue
    if (findWords('totals', line, language).some(({ key }) => key === 'shipping' || key === 'discount'))
      continue
    return { amount: read.amount, currency: read.currency }
  }
  return null
}

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
