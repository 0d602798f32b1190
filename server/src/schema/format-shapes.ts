/**
 * What JSON Schema can say of a format, for readers of the document who do not know the format's name. Each shape accepts at least what
 * the format accepts. Written so that ECMA-262, Rust and Python read them alike: no classes by letter, no lookaround.
 */
type FormatShape = {
  readonly pattern: string
  readonly minLength: number
  readonly maxLength: number
  /** Example values, as they are sent. */
  readonly examples: readonly [string, ...string[]]
  /** The rule for a value beyond its shape. */
  readonly rule: string
}

/** No blanks, controls, backslashes, angle brackets or quotes: a URL parser would repair them or break there. */
const inUrl = '[^\\x00-\\x20\\x7f-\\xa0\\\\<>"\\u2028\\u2029]'
const hostBegin = '[^\\x00-\\x20\\x7f-\\xa0\\\\<>"\\u2028\\u2029/]'
const inUrlBeforeFragment = '[^\\x00-\\x20\\x7f-\\xa0\\\\<>"\\u2028\\u2029#]'
const hostBeginBeforeFragment = '[^\\x00-\\x20\\x7f-\\xa0\\\\<>"\\u2028\\u2029/#]'
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'

const shapes: Readonly<Record<string, FormatShape>> = {
  email: {
    pattern: '^[^@].*@[^@ ]+[.][^@ .]+$',
    minLength: 6,
    maxLength: 254,
    examples: ['ada@example.com'],
    rule: 'an e-mail address that can be delivered to',
  },
  phone: {
    pattern: '^[+][0-9 ().\\x2f-]{6,30}$',
    minLength: 7,
    maxLength: 31,
    examples: ['+14155550132'],
    rule: 'a phone number in international (E.164) form that a numbering plan knows',
  },
  country: {
    pattern: '^[A-Z]{2}$',
    minLength: 2,
    maxLength: 2,
    examples: ['US', 'DE'],
    rule: 'an ISO 3166-1 alpha-2 country code that is assigned',
  },
  currency: {
    pattern: '^[A-Za-z]{3}$',
    minLength: 3,
    maxLength: 3,
    examples: ['USD', 'EUR'],
    rule: 'an ISO 4217 currency code of money, in any case',
  },
  'date-time': {
    pattern:
      '^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:[.][0-9]{1,9})?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$',
    minLength: 20,
    maxLength: 35,
    examples: ['2026-11-23T09:30:00Z'],
    rule: 'an RFC 3339 date-time with a time zone, on a day of the calendar',
  },
  'https-url': {
    pattern: `^[Hh][Tt][Tt][Pp][Ss]://${hostBegin}${inUrl}*$`,
    minLength: 9,
    maxLength: 2048,
    examples: ['https://www.shop.example/lamp'],
    rule: 'an absolute https URL of at most 2048 characters when it is written out, without a user name and without a dot behind its host',
  },
  'endpoint-url': {
    pattern: `^[Hh][Tt][Tt][Pp][Ss]?://${hostBeginBeforeFragment}${inUrlBeforeFragment}*$`,
    minLength: 8,
    maxLength: 2048,
    examples: ['https://hooks.example.com/prokura'],
    rule: 'an absolute URL of at most 2048 characters when it is written out, without a user name and a fragment',
  },
  domain: {
    pattern: `^(?:${label}[.])+${label}$`,
    minLength: 4,
    maxLength: 253,
    examples: ['shop.example'],
    rule: 'a domain name whose last part has at least two characters and a letter',
  },
  timezone: {
    pattern: '^[A-Za-z][A-Za-z0-9_+\\x2f-]*$',
    minLength: 2,
    maxLength: 64,
    examples: ['Europe/Berlin', 'America/New_York'],
    rule: 'a name of the IANA time zone database',
  },
  locale: {
    pattern: '^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$',
    minLength: 2,
    maxLength: 35,
    examples: ['en-US', 'de'],
    rule: 'a BCP 47 language tag that is well formed',
  },
  'visible-ascii': {
    pattern: '^[\\x21-\\x7e]+$',
    minLength: 1,
    maxLength: 2048,
    examples: ['5b1c6a1e-6f0e-4a9b'],
    rule: 'visible ASCII characters',
  },
  mcc: {
    pattern: '^[0-9]{4}$',
    minLength: 4,
    maxLength: 4,
    examples: ['5732'],
    rule: 'a merchant category code of 4 digits',
  },
}

/** By the format's name, in alphabetical order. */
export const formatShapes: ReadonlyMap<string, FormatShape> = new Map(
  Object.entries(shapes).sort(([a], [b]) => (a < b ? -1 : 1)),
)
