import { amountMax } from '../../core/money.ts'
import {
  centsAfter,
  currencyOfMarks,
  decimalsOf,
  isMoneyMark,
  marksAfter,
  marksBefore,
} from './currency-marks.ts'
import { decimalSeparatorOf, groupsBySpace, isMultiplied, plainDigits } from './number-words.ts'

export type AmountHint = {
  /** The currency that the page is expected to use; null where nothing says. */
  readonly currency: string | null
  /** Of the page, as `PageSnapshot.language`. */
  readonly language: string
  /** The currency of the place that the page is for, by its data, its language or its domain: tells dollars from dollars. */
  readonly local?: string | null
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
  const { spans } = amountSpans(text, hint)
  return spans.length === 1 ? (spans[0]?.amount ?? null) : null
}

/** All amounts of a text in order, without those that can be read in two ways. */
export function readAmounts(text: string, hint: AmountHint): ReadAmount[] {
  return amountSpans(text, hint).spans.flatMap(({ amount }) => amount ?? [])
}

/** Where a text has an amount. `amount` null: it can be read in two ways, or in none. */
export type AmountSpan = {
  readonly amount: ReadAmount | null
  readonly start: number
  readonly end: number
  /** A currency is written beside it. */
  readonly isMarked: boolean
  /** Its cents may stand apart from it. */
  readonly isTorn: boolean
}

/** All that looks like an amount, and the text as it is compared, which the places are in. */
export function amountSpans(original: string, hint: AmountHint): { text: string; spans: AmountSpan[] } {
  const text = plainDigits(original)
  const spans: AmountSpan[] = []
  let from = 0
  for (const match of text.matchAll(numberPattern)) {
    const place = { start: match.index, end: match.index + match[0].length, from }
    const read = readNumber(text, place, hint)
    if (read === null) continue
    from = read.end
    spans.push(read)
  }
  if (spans.length === 0 && isFree(text)) {
    const amount = { amount: 0n, currency: hint.currency, text: text.trim() }
    spans.push({ amount, start: 0, end: text.length, isMarked: false, isTorn: false })
  }
  return { text, spans }
}

/** Digits, with one separator between each two runs of them. A dash after a separator stands for no cents: `20,-`, `20:-`. */
const numberPattern = /\d+(?:[.,'’٫]\d+| \d{3}(?!\d))*(?:[.,:][-–—]{1,2}(?!\d)|¦\d{2})?/gu

type NumberSpan = { readonly start: number; readonly end: number; readonly from: number }

/** Null: this number is no amount. */
function readNumber(text: string, place: NumberSpan, hint: AmountHint): AmountSpan | null {
  const isLed = /(?<![\p{L}\p{N}.,])[.,]$/u.test(text.slice(place.from, place.start))
  const first = isLed ? place.start - 1 : place.start
  const before = marksBefore(text.slice(Math.max(place.from, first - 16), first))
  const cents = centsAfter(text.slice(place.end))
  const after = cents ?? marksAfter(text.slice(place.end, place.end + 16), before.marks.length > 0)
  const marks = [...before.marks, ...after.marks]
  const start = first - before.length
  const end = place.end + after.length
  const written = text.slice(place.start, place.end)
  if (isPartOfWord(text, { start, end, written }, marks.length > 0)) return null
  const isMarked = isMoneyMark(marks, written, hint)
  if (!isMarked && (isLed || !mayBeBare(text, place, hint))) return null
  const isTorn = isTornFrom(text, { start, end }, written)
  const unread = { amount: null, start, end, isMarked, isTorn }
  const currency = isMarked ? currencyOfMarks(marks, hint) : { code: hint.currency, decimals: null }
  if (currency === null || isMultiplied(text.slice(end), hint.language)) return unread
  const decimals = currency.code === null ? (currency.decimals ?? 2) : decimalsOf(currency.code)
  const size =
    cents !== null && !isLed ? centsOf(written) : readDigits(isLed ? `.${written}` : written, decimals, hint)
  if (size === null || (isLed && text[first] !== decimalSeparatorOf(hint.language, currency.code)))
    return unread
  // `-,89`: no euros, and 89 cents.
  const sign =
    isLed && before.marks.length === 0 ? { isMinus: false, start } : signBefore(text, start, before)
  const whole = text.slice(sign.start, end).trim()
  return {
    amount: { amount: sign.isMinus ? -size : size, currency: currency.code, text: whole },
    start: sign.start,
    end,
    isMarked,
    isTorn,
  }
}

/** Hundredths: `99¢`. */
function centsOf(written: string): bigint | null {
  return /^\d{1,3}$/u.test(written) ? BigInt(written) : null
}

/** Cents that stand apart from the number that they belong to, as pages write it in several boxes: `24 99 €`, `24, 99 €`, `$24 99`. */
function isTornFrom(text: string, { start, end }: { start: number; end: number }, written: string): boolean {
  if (
    /^\d{2}$/u.test(written) &&
    /(?:^|[^\d.,])\d{1,4}(?: ?[.,])? $/u.test(text.slice(Math.max(0, start - 8), start))
  )
    return /^\d/u.test(text.slice(start))
  return !/[.,¦]/u.test(written) && /^ ?[.,]? \d{2} ?$/u.test(text.slice(end))
}

/** `A12.95`, `12.95b`, `#12.95`, `12:30`, `3/12.95`, and a share: `19,00 %`. Scripts without spaces write words right beside an amount. */
function isPartOfWord(
  text: string,
  at: { start: number; end: number; written: string },
  hasMark: boolean,
): boolean {
  const left = text.slice(Math.max(0, at.start - 2), at.start)
  const right = text.slice(at.end, at.end + 3)
  if (hasMark && /^[万萬億亿千百十만억천백]/u.test(right)) return true
  const [word, next] = hasMark ? [spacedLetter, spacedNext] : [anyLetter, anyNext]
  return word.test(left) || next.test(right)
}

const anyLetter = /[\p{L}\p{N}_#@]$|\d[:\/.,\-]$/v
const anyNext = /^(?:[\p{L}_]| ?%|[:\/.,\-]\d)/v
const spacedLetter =
  /[[\p{L}\p{N}_#@]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]]$|\d[:\/.,\-]$/v
const spacedNext =
  /^(?:[[\p{L}_]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]]| ?%|[:.,\-]\d)/v

/** A number with no currency beside it is an amount if it has exactly the decimals of one, or is all that is written. */
function mayBeBare(text: string, place: NumberSpan, hint: AmountHint): boolean {
  const written = text.slice(place.start, place.end)
  const decimals = hint.currency === null ? 2 : decimalsOf(hint.currency)
  const isAlone = /^[-−– ]*$/u.test(text.slice(0, place.start)) && text.slice(place.end).trim() === ''
  if (hint.currency !== null && /[.,:][-–—]+$/u.test(written)) return true
  if (isAlone && hint.currency !== null && /^\d{1,3}(?:[.,'’ ]\d{3})+$/u.test(written)) return true
  if (decimals === 0 || !new RegExp(`[.,]\\d{${decimals}}$`, 'u').test(written)) return false
  // `12.05` in a German text is more likely a day than an amount.
  const separator = decimalSeparatorOf(hint.language, hint.currency)
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
function readDigits(written: string, decimals: number, hint: AmountHint): bigint | null {
  const noCents = /[.,:][-–—]+$/u.test(written)
  const [digits = '', raised] = written.replace(/[.,:][-–—]+$/u, '').split('¦')
  if (digits.includes(' ') && !groupsBySpace(hint.language)) return null
  const parts = raised === undefined ? splitDigits(digits, decimals, hint) : grouped(digits, raised)
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
  { language, currency }: AmountHint,
): { whole: string; fraction: string } | null {
  // The mark of Arabic decimals is never one of groups.
  if (digits.includes('٫')) {
    const [head = '', tail = '', ...more] = digits.split('٫')
    return more.length > 0 ? null : grouped(head, tail)
  }
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  if (last < 0) return grouped(digits, '')
  const separator = digits[last] ?? ''
  const head = digits.slice(0, last)
  const tail = digits.slice(last + 1)
  const isRepeated = head.includes(separator)
  if (isRepeated) return grouped(digits, '')
  const isOnlyOne = !/[.,'’ ]/u.test(head)
  if (isOnlyOne && tail.length === 3) {
    const decimal = decimalSeparatorOf(language, currency)
    return threeAfterOne(head, tail, { separator, decimals, decimal })
  }
  // `1'249.000` and `1,249.000` have thousandths.
  return grouped(head, tail)
}

/** `1.249`: thousands, or thousandths. */
function threeAfterOne(
  head: string,
  tail: string,
  how: { separator: string; decimals: number; decimal: '.' | ',' | null },
): { whole: string; fraction: string } | null {
  const { decimal } = how
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

/** Of few words, of which one says that it costs nothing: `Free`, `Standard (kostenlos)`. Not `gluten-free`. */
function isFree(text: string): boolean {
  if (text.length > 80 || text.split(/\s+/u).length > 5) return false
  return freeWords.test(text)
}

const freeWords =
  /(?<![\p{L}-])(?:free|no charge|complimentary|kostenlos|kostenfrei|gratis|versandkostenfrei|frei haus|gratuite?s?|offerte?s?|livraison offerte|sin coste|sin costo|gratuit[oa]s?|omaggio|grátis|sem custo|bezpłatn[aeyi]e?|darmow[aey]|za darmo|kostnadsfri|fri frakt|無料)(?![\p{L}-](?!\)))/iu
