import { amountMax } from '../../core/money.ts'
import { currencyOfMarks, decimalsOf, isMoneyMark, marksAfter, marksBefore } from './currency-marks.ts'

export type AmountHint = {
  /** The currency that the page is expected to use; null where nothing says. */
  readonly currency: string | null
  /** Of the page, as `PageSnapshot.language`. */
  readonly language: string
}

type ReadAmount = {
  readonly amount: bigint
  /**
   * What is written beside the number, else the currency of the hint. Null where several are possible: never the hint's, if what is written
   * contradicts it.
   */
  readonly currency: string | null
  readonly text: string
}

/** The one amount that a text has; null for none, for several, and for what can be read in two ways. */
export function readAmount(text: string, hint: AmountHint): ReadAmount | null {
  const found = scan(text, hint)
  const [first] = found.amounts
  return found.amounts.length === 1 && found.unclear === 0 && first !== undefined ? first : null
}

/** All amounts of a text in order, without those that can be read in two ways. */
export function readAmounts(text: string, hint: AmountHint): ReadAmount[] {
  return scan(text, hint).amounts
}

function scan(original: string, hint: AmountHint): { amounts: ReadAmount[]; unclear: number } {
  const text = plainDigits(original)
  const amounts: ReadAmount[] = []
  let unclear = 0
  let from = 0
  for (const match of text.matchAll(numberPattern)) {
    const place = { start: match.index, end: match.index + match[0].length, from }
    const read = readNumber(text, place, hint)
    if (read === null) continue
    from = read.end
    if (read.amount === null) unclear += 1
    else amounts.push(read.amount)
  }
  if (amounts.length === 0 && unclear === 0 && isFree(text))
    amounts.push({ amount: 0n, currency: hint.currency, text: text.trim() })
  return { amounts, unclear }
}

/** Digits, with one separator between each two runs of them. A dash after a separator stands for no cents: `20,-`, `20:-`. */
const numberPattern = /\d+(?:[.,'’]\d+| \d{3}(?!\d))*(?:[.,:][-–—]{1,2}(?!\d)|¦\d{2})?/gu

/** Spaces that do not break are kept as a mark of groups. Two raised digits are cents; other such digits belong to no number. */
function plainDigits(text: string): string {
  return text
    .replaceAll('¦', ' ')
    .replace(/(?<=\d)[⁰¹²³⁴-⁹]{2}(?![⁰¹²³⁴-⁹])/gu, '¦$&')
    .replace(/(?<!¦[⁰¹²³⁴-⁹]?)[⁰¹²³⁴-⁹]|[₀-₉¼-¾⅐-⅞]/gu, 'z')
    .replace(/(?<=\d)[\u00a0\u202f\u2007\u2009](?=\d{3}(?!\d))/gu, '’')
    .normalize('NFKC')
    .replace(/\s/gu, ' ')
}

type NumberSpan = { readonly start: number; readonly end: number; readonly from: number }

/** Null: this number is no amount. An `amount` of null: it is one, and cannot be read for sure. */
function readNumber(
  text: string,
  place: NumberSpan,
  hint: AmountHint,
): { amount: ReadAmount | null; end: number } | null {
  const before = marksBefore(text.slice(Math.max(place.from, place.start - 16), place.start))
  const after = marksAfter(text.slice(place.end, place.end + 16), before.marks.length > 0)
  const marks = [...before.marks, ...after.marks]
  const start = place.start - before.length
  const end = place.end + after.length
  const written = text.slice(place.start, place.end)
  if (isPartOfWord(text, { start, end, written })) return null
  const isMarked = isMoneyMark(marks, written, hint.currency)
  if (!isMarked && !mayBeBare(text, place, hint)) return null
  const currency = isMarked ? currencyOfMarks(marks, hint) : { code: hint.currency, decimals: null }
  if (currency === null) return { amount: null, end }
  const decimals = currency.code === null ? (currency.decimals ?? 2) : decimalsOf(currency.code)
  const size = readDigits(written, decimals, hint.language)
  if (size === null) return { amount: null, end }
  const sign = signBefore(text, start, before)
  const whole = text.slice(sign.start, end).trim()
  return { amount: { amount: sign.isMinus ? -size : size, currency: currency.code, text: whole }, end }
}

/** `A12.95`, `12.95b`, `#12.95`, `12:30`, `3/12.95`, and a share: `19,00 %`. */
function isPartOfWord(text: string, at: { start: number; end: number; written: string }): boolean {
  const left = text.slice(Math.max(0, at.start - 2), at.start)
  const right = text.slice(at.end, at.end + 3)
  return /[\p{L}\p{N}_#@]$|\d[:/.,-]$/u.test(left) || /^(?:[\p{L}_]| ?%|[:/.,-]\d)/u.test(right)
}

/** A number with no currency beside it is an amount if it has exactly the decimals of one, or is all that is written. */
function mayBeBare(text: string, place: NumberSpan, hint: AmountHint): boolean {
  const written = text.slice(place.start, place.end)
  const decimals = hint.currency === null ? 2 : decimalsOf(hint.currency)
  const isAlone = /^[-−– ]*$/u.test(text.slice(0, place.start)) && text.slice(place.end).trim() === ''
  if (hint.currency !== null && /[.,:][-–—]+$/u.test(written)) return true
  if (isAlone && hint.currency !== null && /^\d{1,3}(?:[.,'’ ]\d{3})+$/u.test(written)) return true
  if (decimals === 0 || !new RegExp(`[.,]\\d{${decimals}}$`, 'u').test(written)) return false
  // `12.05` in a German text is more likely a day than an amount.
  const separator = decimalSeparatorOf(hint.language)
  const used = written.at(-decimals - 1)
  if (!isAlone && separator !== null && used !== separator) return false
  return !measured.test(text.slice(place.end, place.end + 12))
}

/** What follows a number that counts or measures something else than money. */
const measured =
  /^ ?(?:[x×*★"°]|(?:k?g|mg|lbs?|oz|[mc]?l|[mck]?m|in|ft|inch|k?wh?|v|[kmgt]b|h|hrs?|min|sec|stars?|sterne|of|out|von|sur|de|di|van|z|av)(?![\p{L}\p{N}]))/iu

/**
 * The sign right before a number or its currency. A dash between spaces separates, as in `Standard - 5,00 €`, unless nothing is before it.
 */
function signBefore(
  text: string,
  start: number,
  before: { readonly isMinus: boolean },
): { isMinus: boolean; start: number } {
  if (before.isMinus) return { isMinus: true, start }
  const left = text.slice(Math.max(0, start - 3), start)
  const attached = /(^|[^\p{L}\p{N})])[-−–]$/u.test(left)
  const leading = /^ *[-−–] *$/u.test(text.slice(0, start)) && start < 8
  return attached || leading ? { isMinus: true, start: Math.max(0, start - 1) } : { isMinus: false, start }
}

/** Minor units of what is written, or null where it can be read in two ways or in none. */
function readDigits(written: string, decimals: number, language: string): bigint | null {
  const noCents = /[.,:][-–—]+$/u.test(written)
  const [digits = '', raised] = written.replace(/[.,:][-–—]+$/u, '').split('¦')
  if (digits.includes(' ') && !groupsBySpace(language)) return null
  const parts = raised === undefined ? splitDigits(digits, decimals, language) : grouped(digits, raised)
  if (parts === null || (noCents && parts.fraction !== '')) return null
  const { whole, fraction } = parts
  if (whole.length > 15 || fraction.length > 4) return null
  // More decimals than the currency has are an amount only if they say nothing: `¥1200.00`.
  if (!/^0*$/u.test(fraction.slice(decimals))) return null
  const amount = BigInt(`${whole}${fraction.slice(0, decimals).padEnd(decimals, '0')}`)
  return amount <= amountMax ? amount : null
}

function splitDigits(
  digits: string,
  decimals: number,
  language: string,
): { whole: string; fraction: string } | null {
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  if (last < 0) return grouped(digits, '')
  const separator = digits[last] ?? ''
  const head = digits.slice(0, last)
  const tail = digits.slice(last + 1)
  const isRepeated = head.includes(separator)
  if (isRepeated) return grouped(digits, '')
  const isOnlyOne = !/[.,'’ ]/u.test(head)
  if (isOnlyOne && tail.length === 3) return threeAfterOne(head, tail, { separator, decimals, language })
  // `1'249.000` and `1,249.000` have thousandths.
  return grouped(head, tail)
}

/** `1.249`: thousands, or thousandths. */
function threeAfterOne(
  head: string,
  tail: string,
  how: { separator: string; decimals: number; language: string },
): { whole: string; fraction: string } | null {
  const decimal = decimalSeparatorOf(how.language)
  const mayGroup = /^[1-9]\d{0,2}$/u.test(head)
  if (how.decimals === 3) {
    if (decimal === null) return mayGroup ? null : { whole: head || '0', fraction: tail }
    return how.separator === decimal
      ? { whole: head || '0', fraction: tail }
      : mayGroup
        ? { whole: head + tail, fraction: '' }
        : null
  }
  // No currency of two decimals is written with three, so it can only be thousands, unless the language says otherwise.
  const isContrary = decimal === how.separator && how.decimals > 0
  return mayGroup && !isContrary ? { whole: head + tail, fraction: '' } : null
}

/** Groups of three, or of two before the last three, as in India. One mark for all. */
function grouped(head: string, fraction: string): { whole: string; fraction: string } | null {
  const marks = new Set(head.match(/[.,'’ ]/gu) ?? [])
  if (marks.size > 1) return null
  const isGrouped = /^\d{1,3}(?:[.,'’ ]\d{3})+$|^\d{1,2}(?:,\d{2})+,\d{3}$|^\d*$/u.test(head)
  return isGrouped && (marks.size === 0 || !/^0/u.test(head))
    ? { whole: head.replace(/\D/gu, '') || '0', fraction }
    : null
}

function groupsBySpace(language: string): boolean {
  return /^(?:fr|sv|pl|es|pt|nb|nn|no|da|fi|cs|sk|hu|ru|uk|bg)(?:-|$)/u.test(language)
}

/** Null where the language is not known. */
function decimalSeparatorOf(language: string): '.' | ',' | null {
  if (/-ch$|-li$|^es-(?:mx|us|pr|gt|hn|ni|pa|pe|sv|do)$/u.test(language)) return '.'
  if (/^(?:en|ja|zh|ko|th|he)(?:-|$)/u.test(language)) return language === 'en-za' ? null : '.'
  if (/^(?:de|fr|es|it|nl|pt|pl|sv|nb|nn|no|da|fi|cs|sk|hu|ru|uk|ro|tr|el|bg|hr|sl)(?:-|$)/u.test(language))
    return ','
  return null
}

/** Of few words, of which one says that it costs nothing: `Free`, `Standard (kostenlos)`. Not `gluten-free`. */
function isFree(text: string): boolean {
  if (text.length > 80 || text.split(/\s+/u).length > 5) return false
  return freeWords.test(text)
}

const freeWords =
  /(?<![\p{L}-])(?:free|no charge|complimentary|kostenlos|kostenfrei|gratis|versandkostenfrei|frei haus|gratuite?s?|offerte?s?|livraison offerte|sin coste|sin costo|gratuit[oa]s?|omaggio|grátis|sem custo|bezpłatn[aeyi]e?|darmow[aey]|za darmo|kostnadsfri|fri frakt|無料)(?![\p{L}-](?!\)))/iu
