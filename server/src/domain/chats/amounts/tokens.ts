import { type CurrencyMark, currencyMark, unspacedMarks } from './currency-words.ts'
import { kanjiNumber, kanjiValue } from './number-words.ts'

/** The ways to read digits: their units, and how many of them are decimals. `1.299` has two. */
export type DigitReading = { readonly units: bigint; readonly decimals: number }

export type Token = {
  readonly kind: 'digits' | 'word' | 'mark' | 'kanji' | 'other'
  readonly text: string
  readonly start: number
  readonly end: number
  /** What is between it and the token before: nothing, spaces, or the end of a line. */
  readonly gap: '' | ' ' | '\n'
  readonly readings: readonly DigitReading[]
  readonly mark: CurrencyMark | null
}

const spaces = /\s+/y
// The second ends one character too early in "1 299 0000", which is no amount.
const grouped = /\d{1,3}(?: \d{3})+(?!\d)(?:[.,]\d{1,3}(?!\d))?/y
const digits = /\d+(?:[.,'·]\d+)*/y
/** Stands for no hundredths: `49,-`, `1'299.-`, `1 299:-`. */
const dashes = /[.,:]-{1,2}(?!\d)/y
const prefixedSign = /(?:[A-Z]{1,3}|Mex)\$|(?:CN|JP)¥|UK£|(?:\$(?:US|CA|AU|NZ|HK|MX|SG|TW|AR)|¥CN)(?!\p{L})/uy
const word = /[\p{L}\p{M}]+/uy
const spacelessLetter =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Arabic}ー々]/u
const wordOfSpaces =
  /(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[\p{L}\p{M}])+/uy

export function tokensIn(text: string): readonly Token[] {
  const tokens: Token[] = []
  let gap: Token['gap'] = ''
  for (let at = 0; at < text.length; ) {
    const blank = matched(spaces, text, at)
    if (blank !== '') {
      gap = blank.includes('\n') ? '\n' : ' '
      at += blank.length
      continue
    }
    const token = { ...tokenAt(text, at), start: at, gap }
    tokens.push({ ...token, end: at + token.text.length })
    at += token.text.length
    gap = ''
  }
  return tokens
}

type Lexeme = Pick<Token, 'kind' | 'text' | 'readings' | 'mark'>

function tokenAt(text: string, at: number): Lexeme {
  const first = text[at] ?? ''
  if (/\d/.test(first)) return digitsAt(text, at)
  const sign = matched(prefixedSign, text, at)
  if (sign !== '' && currencyMark(sign) !== null) return other('mark', sign)
  if (/\p{Sc}/u.test(first)) return other('mark', first)
  if (spacelessLetter.test(first)) {
    const mark = unspacedMarks.find((each) => text.startsWith(each, at))
    if (mark !== undefined) return other('mark', mark)
    const kanji = matched(kanjiNumber, text, at)
    if (kanji !== '') return kanjiLexeme(kanji)
    return other('word', first)
  }
  const letters = matched(wordOfSpaces, text, at) || matched(word, text, at)
  if (letters !== '') return other(currencyMark(letters) === null ? 'word' : 'mark', letters)
  return other('other', String.fromCodePoint(text.codePointAt(at) ?? 0))
}

function other(kind: Lexeme['kind'], text: string): Lexeme {
  return { kind, text, readings: [], mark: kind === 'mark' ? currencyMark(text) : null }
}

function kanjiLexeme(text: string): Lexeme {
  const units = kanjiValue(text)
  return { kind: 'kanji', text, readings: units === null ? [] : [{ units, decimals: 0 }], mark: null }
}

function digitsAt(text: string, at: number): Lexeme {
  const number = matched(grouped, text, at) || matched(digits, text, at)
  const dash = matched(dashes, text, at + number.length)
  return { kind: 'digits', text: number + dash, readings: digitReadings(number), mark: null }
}

function matched(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

/** None for what is no number, as a date or a version. */
function digitReadings(number: string): readonly DigitReading[] {
  // An amount of more digits is none of ours; to read it would take long.
  if (number.length > 24) return []
  const parts = number.split(/[.,'· ]/)
  const signs = number.match(/[.,'· ]/g) ?? []
  if (signs.length === 0) return [{ units: BigInt(number), decimals: 0 }]
  const units = BigInt(parts.join(''))
  const last = signs.at(-1) ?? ''
  const lastLength = parts.at(-1)?.length ?? 0
  const whole: DigitReading = { units, decimals: 0 }
  const split: DigitReading = { units, decimals: lastLength }
  const before = signs.slice(0, -1)
  const isGrouped = areGroups(parts)
  if (last === ' ' || last === "'") return isGrouped ? [whole] : []
  if (before.length === 0) return isGrouped ? [whole, split] : [split]
  if (before.every((sign) => sign === last)) {
    if (isGrouped) return [whole]
    // Two groups and hundredths by one sign: careless, and read by everybody.
    return lastLength <= 2 && areGroups(parts.slice(0, -1)) ? [split] : []
  }
  return before.every((sign) => sign === before[0]) && areGroups(parts.slice(0, -1)) ? [split] : []
}

/** Of three digits, or as in India of two before the last three. */
function areGroups([first = '', ...rest]: readonly string[]): boolean {
  if (first.length > 3 || (first.startsWith('0') && rest.length > 0)) return false
  if (rest.at(-1)?.length !== 3) return rest.length === 0
  return rest.every((group) => group.length === 3) || rest.slice(0, -1).every((group) => group.length === 2)
}
