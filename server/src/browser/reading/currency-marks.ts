import { codes } from 'currency-codes'
import { minorPerMajor } from '../../core/money.ts'

const dollars = ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD', 'TWD', 'MXN', 'ARS', 'COP', 'CLP', 'UYU', 'JMD']
const kroner = ['SEK', 'NOK', 'DKK', 'ISK']
const yen = ['JPY', 'CNY']

/** What is written for a currency, in lower case, and which currencies it can stand for. */
const currenciesOf: ReadonlyMap<string, readonly string[]> = new Map([
  ...named(dollars, '$', 'dollar', 'dollars'),
  ...named(kroner, 'kr', 'kr.'),
  ...named(yen, '¥'),
  ...named(['USD'], 'us$', 'us $', 'usd$'),
  ...named(['CAD'], 'ca$', 'c$', 'cad$', 'cdn$'),
  ...named(['AUD'], 'a$', 'au$', 'aud$'),
  ...named(['NZD'], 'nz$'),
  ...named(['SGD'], 's$', 'sg$'),
  ...named(['HKD'], 'hk$'),
  ...named(['TWD'], 'nt$'),
  ...named(['MXN'], 'mx$', 'mex$'),
  ...named(['BRL'], 'r$'),
  ...named(['EUR'], '€', 'euro', 'euros'),
  ...named(['GBP'], '£'),
  ...named(['CHF'], 'fr.', 'sfr.', 'sfr'),
  ...named(['JPY'], '円', 'yen'),
  ...named(['CNY'], '元', 'rmb'),
  ...named(['KRW'], '₩', '원'),
  ...named(['INR'], '₹', 'rs.'),
  ...named(['PLN'], 'zł', 'zl', 'złotych'),
  ...named(['CZK'], 'kč'),
  ...named(['HUF'], 'ft'),
  ...named(['RON'], 'lei'),
  ...named(['BGN'], 'лв', 'лв.'),
  ...named(['UAH'], '₴', 'грн'),
  ...named(['RUB'], '₽', 'руб.'),
  ...named(['TRY'], '₺'),
  ...named(['VND'], '₫'),
  ...named(['THB'], '฿'),
  ...named(['ILS'], '₪'),
  ...named(['PHP'], '₱'),
  ...named(['NGN'], '₦'),
])

/** Codes that are words when they stand in capitals. */
const codesThatAreWords = new Set('ALL TOP CUP PEN SOS MOP GEL BAM MAD BOB COP TRY'.split(' '))

const isoCodes = new Set(codes())

const written = [...currenciesOf.keys()].sort((a, b) => b.length - a.length)
const words = written.filter((mark) => /^\p{L}/u.test(mark)).map(escaped)
const signs = written.filter((mark) => !/^\p{L}/u.test(mark)).map(escaped)
const anyCase = words.map((word) => word.replace(/\p{L}/gu, (letter) => `[${letter}${letter.toUpperCase()}]`))
const mark = `(?:${signs.join('|')}|(?<![\\p{L}\\p{N}])(?:${anyCase.join('|')}|[A-Z]{3})(?![\\p{L}]))`
const beforePattern = new RegExp(`(?:(${mark}) ?)?(${mark}) ?([-−–]?)$`, 'u')
const afterPattern = new RegExp(`^( ?)(?:(${mark})(?:( ?)(${mark}))?)`, 'u')

/** What stands right before a number for its currency: `CAD $`, `€ -`. */
export function marksBefore(text: string): {
  readonly marks: readonly string[]
  readonly length: number
  readonly isMinus: boolean
} {
  const match = beforePattern.exec(text)
  const near = match?.[2]
  if (match === null || near === undefined || !isCurrency(near))
    return { marks: [], length: 0, isMinus: false }
  const far = match[1]
  const isFar = far !== undefined && isCurrency(far)
  return {
    marks: isFar ? [far, near] : [near],
    length: match[0].length - (far === undefined || isFar ? 0 : far.length),
    isMinus: match[3] !== '',
  }
}

/** What stands right after a number. Where something is before it too, only a code adds to it: `$20.00 CAD`. */
export function marksAfter(
  text: string,
  isMarkedBefore: boolean,
): { readonly marks: readonly string[]; readonly length: number } {
  const nothing = { marks: [], length: 0 }
  // A digit would make the currency's sign a part of a word for the pattern.
  const match = afterPattern.exec(text)
  const near = match?.[2]
  if (match === null || near === undefined || !isCurrency(near)) return nothing
  const nearLength = (match[1] ?? '').length + near.length
  // `2 €10.00`: the sign belongs to what follows.
  if (match[1] === ' ' && /^\d/u.test(text.slice(nearLength))) return nothing
  if (isMarkedBefore && !isoCodes.has(near) && !currenciesOf.has(near.toLowerCase())) return nothing
  if (isMarkedBefore && /^ ?\d/u.test(text.slice(nearLength))) return nothing
  const far = match[4]
  const isFar = far !== undefined && isoCodes.has(far) && !/^ ?\d/u.test(text.slice(match[0].length))
  return isFar ? { marks: [near, far], length: match[0].length } : { marks: [near], length: nearLength }
}

/**
 * The currency that all marks can stand for. `code` is null where they contradict each other or the hint, or leave several; `decimals` is
 * what all that are possible have. Null: not even that is sure.
 */
export function currencyOfMarks(
  marks: readonly string[],
  hint: { readonly currency: string | null; readonly language: string },
): { readonly code: string | null; readonly decimals: number | null } | null {
  const sets = marks.map(candidatesOf)
  const possible = (sets[0] ?? []).filter((code) => sets.every((set) => set.includes(code)))
  const [only] = possible
  if (only === undefined) return null
  if (possible.length === 1)
    return { code: isWordInstead(marks, only, hint.currency) ? null : only, decimals: decimalsOf(only) }
  if (hint.currency !== null && possible.includes(hint.currency))
    return { code: hint.currency, decimals: decimalsOf(hint.currency) }
  const local = localCurrency(hint.language)
  // The language of a page says less than what it is expected to use: where they differ, neither is sure.
  if (hint.currency === null && local !== undefined && possible.includes(local))
    return { code: local, decimals: decimalsOf(local) }
  const decimals = new Set(possible.filter((code) => code !== 'CLP').map(decimalsOf))
  const [same] = decimals
  return decimals.size === 1 && same !== undefined ? { code: null, decimals: same } : null
}

/** `ALL 20 items` has no Albanian money in it. */
export function isMoneyMark(marks: readonly string[], written: string, currency: string | null): boolean {
  const [only] = marks
  if (marks.length !== 1 || only === undefined || !codesThatAreWords.has(only)) return marks.length > 0
  return only === currency || /[.,]\d{2}$/u.test(written)
}

export function decimalsOf(currency: string): number {
  return String(minorPerMajor(currency)).length - 1
}

function isWordInstead(marks: readonly string[], code: string, currency: string | null): boolean {
  return marks.length === 1 && codesThatAreWords.has(marks[0] ?? '') && code !== currency
}

function candidatesOf(text: string): readonly string[] {
  return isoCodes.has(text) ? [text] : (currenciesOf.get(text.toLowerCase()) ?? [])
}

function isCurrency(text: string): boolean {
  return candidatesOf(text).length > 0
}

/** Which of several currencies with the same sign a page in this language means. */
function localCurrency(language: string): string | undefined {
  const region = language.split('-').at(-1)
  const byRegion: Record<string, string> = {
    us: 'USD',
    ca: 'CAD',
    au: 'AUD',
    nz: 'NZD',
    sg: 'SGD',
    hk: 'HKD',
    tw: 'TWD',
    mx: 'MXN',
    ar: 'ARS',
    co: 'COP',
    cl: 'CLP',
    se: 'SEK',
    no: 'NOK',
    dk: 'DKK',
    is: 'ISK',
    jp: 'JPY',
    cn: 'CNY',
  }
  const byLanguage: Record<string, string> = {
    sv: 'SEK',
    nb: 'NOK',
    nn: 'NOK',
    no: 'NOK',
    da: 'DKK',
    ja: 'JPY',
    zh: 'CNY',
  }
  if (language.includes('-') && region !== undefined && Object.hasOwn(byRegion, region))
    return byRegion[region]
  const base = language.split('-')[0] ?? ''
  return Object.hasOwn(byLanguage, base) ? byLanguage[base] : undefined
}

function named(currencies: readonly string[], ...marks: string[]): [string, readonly string[]][] {
  return marks.map((one) => [one, currencies])
}

function escaped(text: string): string {
  return text.replace(/[$.]/gu, '\\$&')
}
