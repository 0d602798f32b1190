import { createRequire } from 'node:module'
import { codes as currencyCodes } from 'currency-codes'
import { getAlpha2Codes, isValid as isCountryCode } from 'i18n-iso-countries/index.js'
import Format from 'typebox/format'
import type validator from 'validator'
import { normalizeTimezone } from './time-zones.ts'

const require = createRequire(import.meta.url)

// Only this one of its hundred checks; its declarations do not say that the file itself is the function.
const isEmail: typeof validator.isEmail = require('validator/lib/isEmail.js')

type FormatRule = {
  accepts: (value: string) => boolean
  refusal: string
  /** What to do about a value that it refuses. */
  hint?: (value: string) => string
}

const RULES: ReadonlyMap<string, FormatRule> = new Map(
  Object.entries<FormatRule>({
    email: { accepts: isEmailAddress, refusal: 'value is not a valid email address' },
    phone: {
      accepts: isPhone,
      refusal: 'value is not a valid phone number in international (E.164) form',
      hint: phoneHint,
    },
    country: { accepts: isCountry, refusal: 'value is not a valid ISO 3166-1 alpha-2 country code' },
    currency: { accepts: isCurrency, refusal: 'value is not a valid ISO 4217 currency code' },
    'date-time': { accepts: isDateTime, refusal: 'value is not a valid RFC 3339 date-time with a time zone' },
    'https-url': { accepts: isHttpsUrl, refusal: 'value is not a valid https URL' },
    'endpoint-url': { accepts: isEndpointUrl, refusal: 'value is not a valid http or https URL' },
    domain: { accepts: isDomain, refusal: 'value is not a valid domain name' },
    timezone: { accepts: isTimezone, refusal: 'value is not a valid IANA time zone' },
    locale: { accepts: isLocale, refusal: 'value is not a valid BCP 47 language tag' },
    'visible-ascii': { accepts: isVisibleAscii, refusal: 'value must consist of visible ASCII characters' },
    mcc: { accepts: isMcc, refusal: 'value is not a valid merchant category code of 4 digits' },
  }),
)

/** Every format that a schema may name; a schema with any other format does not compile. */
export const knownFormats: ReadonlySet<string> = new Set(RULES.keys())

// typebox accepts every value for a format that is not registered, and its own `email` and `date-time` are laxer than these.
for (const [name, rule] of RULES) Format.Set(name, rule.accepts)

export function matchesFormat(format: string, value: string): boolean {
  return RULES.get(format)?.accepts(value) ?? false
}

/** The message for a value that is not of this format, or for any. It names the format, and shows nothing of the value. */
export function formatRefusal(format: string, value?: string): string {
  const rule = RULES.get(format)
  const hint = value === undefined ? undefined : rule?.hint?.(value)
  return rule ? `${rule.refusal}${hint ?? ''}` : 'value is not valid'
}

/** The E.164 digits of a number in international form; undefined when no such number can exist. */
export function normalizePhone(value: string): string | undefined {
  if (!PHONE_CHARACTERS.test(value)) return undefined
  const phone = phoneNumbers().parsePhoneNumberFromString(value, { extract: false })
  if (phone === undefined) return undefined
  return phone.isValid() || RESERVED_FOR_FICTION.test(phone.number) ? phone.number : undefined
}

/** The numbering plans of all countries take a tenth of a process's start, so they are read with the first number. */
function phoneNumbers(): typeof import('libphonenumber-js/max') {
  return require('libphonenumber-js/max')
}

// Numbers that are reserved for examples (North American 555, Ofcom drama numbers) are in no numbering plan, but test data is full of
// them.
const RESERVED_FOR_FICTION = /^\+(?:1555\d{7}|1[2-9]\d\d55501\d\d|447700900\d{3})$/

export function normalizeCurrency(value: string): string {
  return value.toUpperCase()
}

/**
 * The form in which two links to one product are equal: host in lower case, no fragment, no `utm_*` parameters. Everything else is kept,
 * also the order of the parameters, because it may select another product. It takes a valid absolute URL.
 */
export function normalizeUrl(value: string): string {
  const url = new URL(value)
  url.hash = ''
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !/^utm_/i.test(pair))
  url.search = kept.join('&')
  return url.href
}

/** Parameters that say where a visitor came from, and nothing about the product. The database has them too, in `prokura_comparable_url`. */
const TRACKING_PARAMETERS =
  'utm_[^=&]*|gclid|gclsrc|gbraid|wbraid|dclid|fbclid|msclkid|srsltid|ttclid|twclid|yclid|igshid|li_fat_id|epik|mc_cid|mc_eid|_ga|_gl|ref'
const TRACKING_PAIR = new RegExp(`&(?:${TRACKING_PARAMETERS})(?:=[^&]*)?(?=&|$)`, 'gi')

/**
 * The form in which two links lead to one page of one shop, whatever led there: `normalizeUrl`, without `www.`, without a slash at the
 * end of the path, without tracking parameters. PostgreSQL computes the same for stored URLs, by `prokura_comparable_url`.
 */
export function comparableUrl(value: string): string {
  const url = normalizeUrl(value)
  const [page = ''] = url.split('?', 1)
  const query = url
    .slice(page.length + 1)
    .replace(/^(?=.)/, '&')
    .replace(TRACKING_PAIR, '')
  const place = page.replace(/^(https?:\/\/)(?:www\.)+(?=[^/:]+\.)/, '$1').replace(/\/+$/, '')
  return query === '' ? place : `${place}?${query.slice(1)}`
}

function isEmailAddress(value: string): boolean {
  // A quoted name before the @ may contain line breaks, which would end the header line that it is written into.
  return value.length <= 254 && !/[\n\r\u2028\u2029]/.test(value) && isEmail(value)
}

const PHONE_CHARACTERS = /^\+[\d ().\-/]{6,30}$/

function isPhone(value: string): boolean {
  return normalizePhone(value) !== undefined
}

function phoneHint(value: string): string {
  const written = value.trim()
  if (/^(?:\+|00)[\d ().\-/]{6,30}(?=[a-z:,;#])[a-z.:,;#= ]{1,12}\d{1,6}$/i.test(written))
    return ': leave out the extension'
  if (/^00/.test(written)) return ': write +44… instead of 0044…'
  return written.startsWith('+') ? '' : ': begin with + and the code of the country, such as +44…'
}

/** Every country code that `country` accepts. */
export function countryCodes(): string[] {
  return Object.keys(getAlpha2Codes())
}

function isCountry(value: string): boolean {
  return /^[A-Z]{2}$/.test(value) && isCountryCode(value)
}

// ISO 4217 codes in which nobody can be charged: metals, bond units, drawing rights, testing, "no currency".
const UNITS_OF_ACCOUNT: ReadonlySet<string> = new Set([
  'XAG',
  'XAU',
  'XBA',
  'XBB',
  'XBC',
  'XBD',
  'XDR',
  'XPD',
  'XPT',
  'XSU',
  'XTS',
  'XUA',
  'XXX',
])

const CURRENCIES: ReadonlySet<string> = new Set(currencyCodes().filter((code) => !UNITS_OF_ACCOUNT.has(code)))

function isCurrency(value: string): boolean {
  return CURRENCIES.has(value) || (/^[A-Za-z]{3}$/.test(value) && CURRENCIES.has(value.toUpperCase()))
}

const DATE_TIME =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

function isDateTime(value: string): boolean {
  const parts = DATE_TIME.exec(value)
  if (parts === null) return false
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  // Date would turn 30 February into a day in March.
  if (day > daysIn(year, month)) return false
  const utcYear = new Date(value).getUTCFullYear()
  return utcYear >= 1 && utcYear <= 9999
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

const URL_LENGTH_MAX = 2048

/**
 * Addresses that need no parser, since nothing in them can be refused or rewritten: names that are not numbers and not in Punycode, and a
 * path and query of plain characters. Nearly every link to a product is one, and parsing it twice cost a twentieth of a request.
 */
const PLAIN_HTTPS_URL =
  /^https:\/\/(?:(?!xn--)[a-z0-9][a-z0-9-]{0,62}\.)+(?!xn--)[a-z][a-z0-9-]{0,62}(?:\/[\w.~/-]*(?:\?[\w.~/=&-]*)?)?$/
const PLAIN_LENGTH_MAX = 255

function isHttpsUrl(value: string): boolean {
  if (value.length <= PLAIN_LENGTH_MAX && PLAIN_HTTPS_URL.test(value)) return true
  return /^https:\/\/[^/]/i.test(value) && isPlainUrl(value) && !hasRootDot(value)
}

/** `shop.example.` is the same as `shop.example` for a resolver, and another merchant in a comparison. */
function hasRootDot(url: string): boolean {
  return new URL(url).hostname.endsWith('.')
}

function isEndpointUrl(value: string): boolean {
  return /^https?:\/\/[^/]/i.test(value) && !value.includes('#') && isPlainUrl(value)
}

/** The URL parser removes tabs and newlines and reads `\` as `/`, so a URL that it would repair is refused before. */
function isPlainUrl(value: string): boolean {
  if (value.length > URL_LENGTH_MAX || UNSAFE_IN_URL.test(value)) return false
  const url = URL.parse(value)
  // The length of the URL as it is written out: percent-encoding makes it up to nine times as long, and it must fit into an index.
  if (url === null || url.hostname === '' || url.href.length > URL_LENGTH_MAX) return false
  const authority = value.slice(value.indexOf('//') + 2).split(/[/?#]/, 1)[0] ?? ''
  return !authority.includes('@')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for.
const UNSAFE_IN_URL = /[\u0000-\u0020\u007f-\u00a0\\<>"\u2028\u2029]/

const DOMAIN =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?=.*[a-z])[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/i

function isDomain(value: string): boolean {
  return DOMAIN.test(value)
}

function isTimezone(value: string): boolean {
  return normalizeTimezone(value) !== undefined
}

function isLocale(value: string): boolean {
  if (value.length > 35) return false
  try {
    new Intl.Locale(value)
    return true
  } catch {
    return false
  }
}

function isVisibleAscii(value: string): boolean {
  return /^[\x21-\x7e]+$/.test(value)
}

function isMcc(value: string): boolean {
  return /^\d{4}$/.test(value)
}
