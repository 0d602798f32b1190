import { minorPerMajor } from '../../../core/money.ts'
import { type CurrencyMark, codesThatAreWords } from './currency-words.ts'
import { plainText } from './plain-text.ts'
import {
  isBesidePrice,
  isCountry,
  isLastOfPrice,
  isUnit,
  saysPriceBefore,
  saysSizeBefore,
} from './price-words.ts'
import { type Quantity, quantitiesIn } from './quantities.ts'
import { type DigitReading, type Token, tokensIn } from './tokens.ts'

/** An amount in minor units of one currency. */
export type Amount = { readonly amount: bigint; readonly currency: string }

/** An amount of money in a text, and what it may mean. */
type WrittenAmount = {
  /** Where it stands, as indices of the text. */
  readonly start: number
  readonly end: number
  /** Empty: no amount of any currency, as 12.345 €. */
  readonly readings: readonly Amount[]
  /** The numbers of a price without a currency, which may be of any. */
  readonly unmarked: readonly DigitReading[]
}

/** A quantity with the tokens of its marks. */
type Marked = {
  readonly quantity: Quantity
  readonly from: number
  readonly to: number
  readonly marks: readonly CurrencyMark[]
}

/** Finds the amounts of money in a text, in the forms that people write. It takes time by the length of the text. */
export function amountsIn(text: string): readonly WrittenAmount[] {
  const plain = plainText(text)
  const tokens = tokensIn(plain.text)
  const marked = withRanges(tokens, markAll(tokens, quantitiesIn(tokens)))
  const place = (index: number) => plain.origin[index] ?? text.length
  return withParts(tokens, marked).flatMap(({ from, to, readings, unmarked }) => {
    const [first, last] = [tokens[from], tokens[to - 1]]
    if (first === undefined || last === undefined) return []
    return [{ start: place(first.start), end: place(last.end), readings, unmarked }]
  })
}

/** The amounts of a text that are none of those known. */
export function unknownAmounts(text: string, known: readonly Amount[]): readonly WrittenAmount[] {
  return amountsIn(text).filter((written) => !known.some((each) => means(written, each)))
}

function means({ readings, unmarked }: WrittenAmount, { amount, currency }: Amount): boolean {
  return (
    readings.some((each) => each.amount === amount && each.currency === currency) ||
    unmarked.some((reading) => minorOf(reading, currency) === amount)
  )
}

/** Each quantity with the marks beside it. A mark belongs to one quantity. */
function markAll(tokens: readonly Token[], quantities: readonly Quantity[]): Marked[] {
  let free = 0
  return quantities.map((quantity, index) => {
    const next = quantities[index + 1]
    const before = markBefore(tokens, quantity, free)
    const after = markAfter(tokens, quantity, next, before !== null)
    const from = before?.at ?? quantity.from
    const to = after === null ? quantity.to : after.at + 1
    free = to
    return {
      quantity,
      from,
      to,
      marks: [before, after].flatMap((each) => (each === null ? [] : [each.mark])),
    }
  })
}

type MarkAt = { readonly at: number; readonly mark: CurrencyMark }

function markBefore(tokens: readonly Token[], { from }: Quantity, free: number): MarkAt | null {
  let at = from - 1
  let gap = tokens[from]?.gap ?? ''
  while (at >= free && /^[:(~≈+.=-]$/.test(tokens[at]?.text ?? '') && from - at <= 3) {
    gap = tokens[at]?.gap ?? ''
    at--
  }
  const token = tokens[at]
  if (at < free || token?.mark?.mayLead !== true || gap === '\n') return null
  const isWord = /^[A-Z]{3}$/.test(token.text)
  const isGlued = at === from - 2 && tokens[at + 1]?.text === '-' && tokens[at + 1]?.gap === ''
  if ((isWord && isGlued) || (token.text === 'R' && !/[.,']\d/.test(tokens[from]?.text ?? ''))) return null
  if (isWord && codesThatAreWords.has(token.text) && !/[.,']\d/.test(tokens[from]?.text ?? '')) return null
  if (isWord && saysSizeBefore(tokens, at)) return null
  return { at, mark: token.mark }
}

function markAfter(
  tokens: readonly Token[],
  { to }: Quantity,
  next: Quantity | undefined,
  isMarked: boolean,
): MarkAt | null {
  let at = to
  while (at - to < 3 && (isBeforeMark(tokens, at) || isCountry(tokens[at]))) at++
  const token = tokens[at]
  if (token?.mark == null) return null
  // Beside one that stands before, only a code adds to it: `$24 CAD`, not `€24 $30`.
  if (isMarked && !/^[A-Z]{3}$/.test(token.text)) return null
  if (token.text === 'p' && !(token.gap === '' && /^\d{1,2}$/.test(tokens[to - 1]?.text ?? ''))) return null
  if (/^[R]$/.test(token.text) || (token.gap === '\n' && isMarked)) return null
  return next !== undefined && isForNext(tokens, at, next) ? null : { at, mark: token.mark }
}

/** `24 (EUR)`, `1,2 Mio. €`, `24-euro`. */
function isBeforeMark(tokens: readonly Token[], at: number): boolean {
  const text = tokens[at]?.text
  if (text === '-') return tokens[at]?.gap === '' && tokens[at + 1]?.gap === ''
  return text === '(' || (text === '.' && tokens[at]?.gap === '' && tokens[at - 1]?.kind === 'word')
}

/** `2 for $24`, `2 EUR 24.00`, but `12 € 50` and `12€50`. */
function isForNext(tokens: readonly Token[], at: number, next: Quantity): boolean {
  const [mark, number, before] = [tokens[at], tokens[next.from], tokens[at - 1]]
  if (next.from !== at + 1 || mark?.mark?.mayLead !== true || mark.gap === '') return false
  if (number?.gap === '') return true
  return /[.,]\d/.test(number?.text ?? '') && !/[.,]\d/.test(before?.text ?? '')
}

/** The currency of one end of a range is that of the other: `$10-20`, `10 bis 20 €`, `between 10 and 20 euros`. */
function withRanges(tokens: readonly Token[], all: readonly Marked[]): Marked[] {
  const result = [...all]
  for (let index = 0; index + 1 < result.length; index++) {
    const [one, other] = [result[index], result[index + 1]]
    if (one === undefined || other === undefined) continue
    const isRange = joinsRange(tokens, one, other)
    if (!isRange || one.marks.length > 0 === other.marks.length > 0) continue
    // A mark between the two is of both: `10 € - 20`.
    if (one.marks.length === 0) result[index] = { ...one, marks: other.marks }
    else if (!isUnit(tokens[other.to])) result[index + 1] = { ...other, marks: one.marks }
  }
  return result
}

function joinsRange(tokens: readonly Token[], { from, to }: Marked, other: Marked): boolean {
  if (other.from - to !== 1) return false
  const between = tokens[to]?.text.toLowerCase() ?? ''
  if (/^(?:-|~|〜|to|bis|a|à|から)$/.test(between)) return true
  const opening = tokens[from - 1]?.text.toLowerCase() ?? ''
  return (
    /^(?:and|und|et|y|or|oder|ou|o)$/.test(between) && /^(?:between|zwischen|entre|either)$/.test(opening)
  )
}

type Found = {
  readonly from: number
  readonly to: number
  readonly readings: readonly Amount[]
  readonly unmarked: readonly DigitReading[]
}

/** Amounts of two parts are one: `12 euros 50`, `12€50`, `zwölf Euro fünfzig`, `12 dollars and 50 cents`. */
function withParts(tokens: readonly Token[], all: readonly Marked[]): Found[] {
  const found: Found[] = []
  for (let index = 0; index < all.length; index++) {
    const one = all[index]
    if (one === undefined) continue
    if (one.marks.length === 0) {
      found.push(...unmarkedPrice(tokens, one))
      continue
    }
    const other = all[index + 1]
    const part = other === undefined ? null : hundredthsOf(tokens, one, other)
    const major = one.quantity.readings.flatMap((reading) => amountsOf(reading, one.marks))
    if (other === undefined || part === null) {
      found.push({ from: one.from, to: one.to, readings: major, unmarked: [] })
      continue
    }
    const readings = major.map(({ amount, currency }) => ({ amount: amount + part, currency }))
    found.push({ from: one.from, to: other.to, readings, unmarked: [] })
    index++
  }
  return found
}

function hundredthsOf(tokens: readonly Token[], one: Marked, other: Marked): bigint | null {
  const [reading] = other.quantity.readings
  const isWhole = one.quantity.readings.every(({ decimals }) => decimals === 0)
  if (reading === undefined || reading.decimals > 0 || reading.units >= 100n || !isWhole) return null
  if (one.marks.some(({ isMinor }) => isMinor)) return null
  const between = tokens.slice(one.to, other.from).map(({ text }) => text.toLowerCase())
  if (other.marks.length > 0) {
    const isJoined =
      between.length === 0 || (between.length === 1 && /^(?:and|und|et|y|con|mit|,)$/.test(between[0] ?? ''))
    return isJoined && other.marks.every(({ isMinor }) => isMinor) ? reading.units : null
  }
  const [first, next] = [tokens[other.from], tokens[other.to]]
  if (between.length > 0 || one.to <= one.quantity.to || first?.gap === '\n') return null
  const isTwoDigits = /^\d\d$/.test(first?.text ?? '') || (!other.quantity.isInDigits && reading.units >= 5n)
  if (!isTwoDigits || isUnit(next)) return null
  return first?.gap === '' || next?.kind !== 'word' ? reading.units : null
}

/** A number right after words of a price, though without a currency, is an amount too: "it costs 24.90", `Preis: 24`. */
function unmarkedPrice(tokens: readonly Token[], { quantity }: Marked): Found[] {
  const { from, to, readings } = quantity
  const text = tokens[from]?.text ?? ''
  const isDashed = /-$/.test(text)
  const isAfterWords = saysPriceBefore(tokens, from) || isBesidePrice(tokens, from, to)
  if (!isDashed && !(isAfterWords && isLastOfPrice(tokens[to], /[.,]\d\d$/.test(text)))) return []
  return readings.length === 0 ? [] : [{ from, to, readings: [], unmarked: readings }]
}

function amountsOf(reading: DigitReading, marks: readonly CurrencyMark[]): Amount[] {
  const [first, second] = marks
  if (first === undefined) return []
  const shared = second === undefined ? first.currencies : common(first.currencies, second.currencies)
  return shared.flatMap((currency) => {
    const amount = first.isMinor ? wholeOf(reading, 0) : minorOf(reading, currency)
    return amount === null ? [] : [{ amount, currency }]
  })
}

/** `$24 CAD` is of Canada; two that exclude each other are of either. */
function common(some: readonly string[], others: readonly string[]): readonly string[] {
  const shared = some.filter((currency) => others.includes(currency))
  return shared.length > 0 ? shared : [...some, ...others]
}

function minorOf(reading: DigitReading, currency: string): bigint | null {
  return wholeOf(reading, String(minorPerMajor(currency)).length - 1)
}

/** The number times a power of ten, where that is whole. */
function wholeOf({ units, decimals }: DigitReading, power: number): bigint | null {
  if (power >= decimals) return units * 10n ** BigInt(power - decimals)
  const divisor = 10n ** BigInt(decimals - power)
  return units % divisor === 0n ? units / divisor : null
}
