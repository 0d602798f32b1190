import { codes } from 'currency-codes'
import { minorPerMajor } from '../../core/money.ts'

const dollars = ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD', 'TWD', 'MXN', 'ARS', 'COP', 'CLP', 'UYU', 'JMD']
const kroner = ['SEK', 'NOK', 'DKK', 'ISK']
const yen = ['JPY', 'CNY']
const rupees = ['INR', 'PKR', 'LKR', 'NPR', 'MUR', 'SCR']

/** What is written for a currency, in lower case, and which currencies it can stand for. */
const currenciesOf: ReadonlyMap<string, readonly string[]> = new Map([
  ...named(dollars, '$', 'dollar', 'dollars'),
  ...named(kroner, 'kr', 'kr.'),
  ...named(yen, '¥'),
  ...named(['USD'], 'us$', 'us $', 'usd$', '$us'),
  ...named(['CAD'], 'ca$', 'c$', 'cad$', 'cdn$', '$ca', '$can'),
  ...named(['AUD'], 'a$', 'au$', 'aud$', '$au'),
  ...named(['NZD'], 'nz$', '$nz'),
  ...named(['SGD'], 's$', 'sg$', '$sg'),
  ...named(['HKD'], 'hk$', '$hk'),
  ...named(['TWD'], 'nt$'),
  ...named(['MXN'], 'mx$', 'mex$', '$mx'),
  ...named(['BRL'], 'r$'),
  ...named(['EUR'], '€', 'euro', 'euros'),
  ...named(['GBP'], '£', '£gb'),
  ...named(['CHF'], 'fr.', 'sfr.', 'sfr'),
  ...named(['JPY'], '円', 'yen', 'jp¥'),
  ...named(['CNY'], '元', 'rmb', 'cn¥'),
  ...named(['KRW'], '₩', '원'),
  ...named(['INR'], '₹'),
  ...named(rupees, 'rs', 'rs.', '₨'),
  ...named(['PLN'], 'zł', 'zl', 'złotych'),
  ...named(['CZK'], 'kč'),
  ...named(['HUF'], 'ft'),
  ...named(['BGN'], 'лв', 'лв.'),
  ...named(['UAH'], '₴', 'грн'),
  ...named(['RUB'], '₽', 'руб.'),
  ...named(['TRY'], '₺'),
  ...named(['VND'], '₫'),
  ...named(['THB'], '฿'),
  ...named(['ILS'], '₪'),
  ...named(['PHP'], '₱'),
  ...named(['NGN'], '₦'),
  ...named(['THB'], 'บาท'),
  ...named(['TRY'], 'tl'),
  ...named(['VND'], 'đ', 'vnđ'),
  ...named(['RUB'], 'руб', 'р.'),
  ...named(['UAH'], 'грн.'),
  ...named(['RON', 'MDL'], 'lei'),
  ...named(['RSD'], 'din.', 'дин.'),
  ...named(['ZAR'], 'r'),
  ...named(['EUR'], 'ευρώ', 'eur.', 'евро'),
  ...named(['ILS'], 'ש"ח', 'ש״ח'),
  ...named(['SAR', 'QAR', 'OMR', 'YER', 'IRR'], 'ريال', '﷼'),
  ...named(['IRR'], 'ریال'),
  ...named(['AED', 'MAD'], 'درهم'),
  ...named(['EGP', 'SDG'], 'جنيه'),
  ...named(['KWD', 'BHD', 'IQD', 'JOD', 'TND', 'LYD', 'DZD'], 'دينار'),
  ...named(['INR', 'NPR'], 'रुपये', 'रु', 'रु.'),
  ...named(['EGP'], 'e£'),
  ...named(['CNY', 'TWD', 'HKD'], '塊', '块'),
  ...signsOfIntl(),
])

/** How those who live with a currency write it, where that is a sign of its own: `Rp`, `RM`, `د.ك`. */
function signsOfIntl(): [string, readonly string[]][] {
  const places =
    'id:IDR ms:MYR ar:KWD ar:SAR ar:AED ar:QAR ar:BHD ar:OMR ar:JOD ar:EGP ar:IQD ar:LBP ar:TND ar:MAD ar:DZD ar:LYD kk:KZT az:AZN ka:GEL hy:AMD lo:LAK km:KHR bn:BDT mn:MNT sr:RSD es-PE:PEN es-CR:CRC es-PY:PYG is:ISK my:MMK sq:ALL mk:MKD uz:UZS'
  return places.split(' ').flatMap((place) => {
    const [locale = '', currency = ''] = place.split(':')
    return (['symbol', 'narrowSymbol'] as const).flatMap((currencyDisplay) =>
      signOf(locale, currency, currencyDisplay),
    )
  })
}

function signOf(
  locale: string,
  currency: string,
  currencyDisplay: 'symbol' | 'narrowSymbol',
): [string, readonly string[]][] {
  const parts = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay }).formatToParts(
    1,
  )
  const sign = parts.find(({ type }) => type === 'currency')?.value ?? ''
  const plain = sign
    .replace(/\p{Cf}/gu, '')
    .trim()
    .toLowerCase()
  // Codes are known, and what others write as well is written down above.
  if (plain === '' || /^[a-z]{3}$|^kr\.?$|^[a-z]$|^[$¥£]$/u.test(plain)) return []
  return [...new Set([plain, plain.replace(/\.$/u, '')])].map((one): [string, readonly string[]] => [
    one,
    [currency],
  ])
}

/** Codes that are words when they stand in capitals. */
const codesThatAreWords = new Set('ALL TOP CUP PEN SOS MOP GEL BAM MAD BOB COP TRY'.split(' '))

const isoCodes = new Set(codes())

const written = [...currenciesOf.keys()].sort((a, b) => b.length - a.length)
const words = written.filter((mark) => /^\p{L}/u.test(mark)).map(escaped)
const signs = written
  .filter((mark) => !/^\p{L}/u.test(mark))
  .map((sign) => (/[a-z]$/u.test(sign) ? `${inAnyCase(escaped(sign))}(?!\\p{L})` : escaped(sign)))
// A real is no rand.
const anyCase = words.map((word) => (word === 'r' ? 'R(?!\\$)' : inAnyCase(word)))
/** Scripts that put no space between words. */
const unspaced = written
  .filter((mark) => /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Thai}]+$/u.test(mark))
  .join('|')
const mark = `(?:${signs.join('|')}|${unspaced}|(?<![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{Script=Arabic}\\p{Script=Hebrew}\\p{Script=Devanagari}\\p{N}])(?:${anyCase.join('|')}|[A-Z]{3})(?![\\p{L}]))`
const beforePattern = new RegExp(`(?:(${mark}) ?)?(${mark}) ?([-−–]?)$`, 'u')
const afterPattern = new RegExp(`^( ?)(?:(${mark})(?:( ?)(${mark}))?)`, 'u')

function inAnyCase(word: string): string {
  return word.replace(/\p{L}/gu, (letter) => `[${letter}${letter.toUpperCase()}]`)
}

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

/** `99¢`: null where the number counts no cents. */
export function centsAfter(
  text: string,
): { readonly marks: readonly string[]; readonly length: number } | null {
  const match = /^ ?¢/u.exec(text)
  return match === null ? null : { marks: ['$'], length: match[0].length }
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

type PlaceOfMoney = {
  readonly currency: string | null
  readonly language: string
  readonly local?: string | null
}

/**
 * The currency that all marks can stand for. `code` is null where they contradict each other or the hint, or leave several; `decimals` is
 * what all that are possible have. Null: not even that is sure.
 */
export function currencyOfMarks(
  marks: readonly string[],
  hint: PlaceOfMoney,
): { readonly code: string | null; readonly decimals: number | null } | null {
  const sets = marks.map(candidatesOf)
  const possible = (sets[0] ?? []).filter((code) => sets.every((set) => set.includes(code)))
  const [only] = possible
  if (only === undefined) return null
  if (possible.length === 1)
    return { code: isWordInstead(marks, only, hint.currency) ? null : only, decimals: decimalsOf(only) }
  const isElsewhere = hint.local != null && hint.local !== hint.currency && possible.includes(hint.local)
  if (hint.currency !== null && possible.includes(hint.currency) && !isElsewhere)
    return { code: hint.currency, decimals: decimalsOf(hint.currency) }
  const local = hint.local ?? localCurrency(hint.language)
  // The language of a page says less than what it is expected to use: where they differ, neither is sure.
  if (hint.currency === null && local != null && possible.includes(local))
    return { code: local, decimals: decimalsOf(local) }
  const decimals = new Set(possible.filter((code) => code !== 'CLP').map(decimalsOf))
  const [same] = decimals
  return decimals.size === 1 && same !== undefined ? { code: null, decimals: same } : null
}

/** `ALL 20 items` has no Albanian money in it. */
export function isMoneyMark(marks: readonly string[], written: string, hint: PlaceOfMoney): boolean {
  const { currency } = hint
  const [only] = marks
  // A size, a radius, a model, a word: rands only where there are rands.
  if (marks.length === 1 && /^r$/iu.test(only ?? ''))
    return only === 'R' && (currency === 'ZAR' || hint.local === 'ZAR' || /-za$|^af$/u.test(hint.language))
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
  const [base = '', ...more] = language.split('-')
  const region = more.at(-1)
  return region === undefined ? currencyOfLanguage[base] : currencyOfPlace[region]
}

/** What is meant in a country, by its part of a language or a domain. */
export const currencyOfPlace: Partial<Record<string, string>> = {
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
  uy: 'UYU',
  jm: 'JMD',
  se: 'SEK',
  no: 'NOK',
  dk: 'DKK',
  is: 'ISK',
  jp: 'JPY',
  cn: 'CNY',
  in: 'INR',
  pk: 'PKR',
  lk: 'LKR',
  np: 'NPR',
  mu: 'MUR',
  ro: 'RON',
  md: 'MDL',
  sa: 'SAR',
  qa: 'QAR',
  om: 'OMR',
  ir: 'IRR',
  ae: 'AED',
  ma: 'MAD',
  eg: 'EGP',
  kw: 'KWD',
  bh: 'BHD',
  iq: 'IQD',
  jo: 'JOD',
  tn: 'TND',
  ly: 'LYD',
  dz: 'DZD',
  za: 'ZAR',
}

const currencyOfLanguage: Partial<Record<string, string>> = {
  sv: 'SEK',
  nb: 'NOK',
  nn: 'NOK',
  no: 'NOK',
  da: 'DKK',
  is: 'ISK',
  ja: 'JPY',
  zh: 'CNY',
  hi: 'INR',
  si: 'LKR',
  ne: 'NPR',
  ur: 'PKR',
  ro: 'RON',
}

function named(currencies: readonly string[], ...marks: string[]): [string, readonly string[]][] {
  return marks.map((one) => [one, currencies])
}

function escaped(text: string): string {
  return text.replace(/[$./]/gu, '\\$&')
}
