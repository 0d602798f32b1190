import fc from 'fast-check'
import Format from 'typebox/format'
import { expect, test } from 'vitest'
import {
  comparableUrl,
  formatRefusal,
  knownFormats,
  matchesFormat,
  normalizeCurrency,
  normalizePhone,
  normalizeUrl,
} from './formats.ts'

const LONG_PATH = 'a'.repeat(2048)

const CASES: Record<string, { yes: string[]; no: string[] }> = {
  email: {
    yes: ['jane@example.com', 'jane.doe+shop@mail.example.co.uk'],
    no: [
      '',
      'jane',
      'jane@',
      '@example.com',
      'jane@example',
      'Jane <jane@example.com>',
      `${'a'.repeat(250)}@b.co`,
      'a b@c.de',
      'a@b.de\n',
    ],
  },
  phone: {
    yes: [
      '+14155552671',
      '+1 (415) 555-2671',
      '+442071838750',
      '+491701234567',
      '+15555550100',
      '+447700900123',
    ],
    no: [
      '',
      '4155552671',
      '+1',
      '+1415555267',
      '+10000000000',
      '+999123456789',
      '+14155552671 ext 5',
      'call +14155552671',
      '+1415555CALL',
    ],
  },
  country: { yes: ['US', 'DE', 'GB', 'JP'], no: ['', 'us', 'USA', 'ZZ', 'UK', 'EU', 'U1'] },
  currency: {
    yes: ['USD', 'usd', 'Eur', 'JPY', 'KWD', 'XAF'],
    no: ['', 'US', 'USDT', 'ABC', 'XXX', 'XTS', 'xau', '840'],
  },
  'date-time': {
    yes: [
      '2026-03-14T15:09:26Z',
      '2026-03-14T15:09:26.535897932+01:00',
      '2024-02-29T00:00:00-23:59',
      '2000-02-29T23:59:59Z',
    ],
    no: [
      ...[
        '',
        '2026-03-14',
        '2026-03-14T15:09:26',
        '2026-03-14 15:09:26Z',
        '2026-03-14T15:09Z',
        '2026-02-29T00:00:00Z',
      ],
      ...[
        '2100-02-29T00:00:00Z',
        '2026-04-31T00:00:00Z',
        '2026-13-01T00:00:00Z',
        '2026-01-01T24:00:00Z',
        '2026-01-01T00:00:60Z',
      ],
      ...[
        '2026-01-01T00:00:00+24:00',
        '2026-01-01T00:00:00Z\n',
        '0000-01-01T00:00:00Z',
        '+12026-01-01T00:00:00Z',
        '1767225600',
      ],
      ...['0001-01-01T00:00:00+10:00'],
    ],
  },
  'https-url': {
    yes: [
      'https://example.com',
      'https://shop.example.com:8443/p/1?a=b&c=%20#top',
      'HTTPS://EXAMPLE.com/ü',
      'https://example.com/@jane?x=a@b.c',
    ],
    no: [
      ...[
        '',
        'http://example.com',
        'https:example.com',
        'https:///example.com',
        'https://',
        '//example.com',
        'javascript:alert(1)',
      ],
      ...[
        'https://user@example.com',
        'https://user:pw@example.com',
        'https://@example.com',
        'https://exa mple.com',
        'https://example.com/a b',
      ],
      ...[
        'https://example.com\\@evil.test',
        ' https://example.com',
        'https://exam\tple.com',
        'https://example.com:99999',
        'https://%zz/',
      ],
      ...[`https://example.com/${LONG_PATH}`, 'https://example.com./a', 'https://example.com.'],
      ...[`https://example.com/${'ü'.repeat(400)}`],
    ],
  },
  'endpoint-url': {
    yes: ['http://127.0.0.1:4000/hook', 'https://example.com/hook?a=1', 'http://[::1]:80/'],
    no: [
      '',
      'ftp://example.com',
      'https://example.com/#a',
      'https://example.com#',
      'http://u:p@example.com',
      '/hook',
      `http://a.b/${LONG_PATH}`,
    ],
  },
  domain: {
    yes: ['example.com', 'Shop.Example.co.uk', 'xn--bcher-kva.example', 'a-b.test'],
    no: [
      '',
      'example',
      '127.0.0.1',
      '.example.com',
      'example.com.',
      '-a.com',
      'a_.com',
      'https://a.com',
      'a.com/x',
      'a..com',
      `${'a'.repeat(64)}.com`,
      'a.com\n',
    ],
  },
  timezone: {
    yes: ['Europe/Berlin', 'UTC', 'US/Pacific', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'],
    no: ['', 'Berlin', '+01:00', 'Mars/Olympus', 'GMT+25:00', 'Europe/Berlin '],
  },
  locale: {
    yes: ['en', 'en-US', 'zh-Hant-TW', 'de-DE-u-co-phonebk'],
    no: ['', 'en_US', 'e', 'english-languages', 'en-', 'a'.repeat(40)],
  },
  'visible-ascii': { yes: ['abc', '!~', '0190163d-8694'], no: ['', 'a b', 'é', 'a\n', '\u007f', '\u0000'] },
  mcc: { yes: ['5411', '0763'], no: ['', '541', '54111', '54a1', '５４１１', '5411\n'] },
}

test('each known format is registered with typebox and has its cases here', () => {
  expect(Object.keys(CASES).toSorted()).toEqual([...knownFormats].toSorted())
  for (const format of knownFormats) expect(Format.Has(format)).toBe(true)
})

for (const [format, { yes, no }] of Object.entries(CASES)) {
  test.each(yes)(`${format} accepts %j`, (value) => {
    expect(matchesFormat(format, value)).toBe(true)
    expect(Format.Test(format, value)).toBe(true)
  })
  test.each(no)(`${format} refuses %j`, (value) => {
    expect(matchesFormat(format, value)).toBe(false)
    expect(Format.Test(format, value)).toBe(false)
    if (value.length > 3) expect(formatRefusal(format, value)).not.toContain(value)
  })
}

test('an undeclared format matches nothing', () => {
  expect(matchesFormat('uuid', '0190163d-8694-739b-aea5-966c26f8ad91')).toBe(false)
  expect(matchesFormat('constructor', 'x')).toBe(false)
})

test('a phone number is stored in one form, however it was written', () => {
  expect(normalizePhone('+1 (415) 555-2671')).toBe('+14155552671')
  expect(normalizePhone('+44 20 7183 8750')).toBe('+442071838750')
  expect(normalizePhone('not a phone')).toBeUndefined()
})

test.each([
  ['0044 20 7183 8750', ': write +44… instead of 0044…'],
  ['00442071838750', ': write +44… instead of 0044…'],
  ['+44 20 7183 8750 x12', ': leave out the extension'],
  ['+1 415-555-2671 ext. 5', ': leave out the extension'],
  ['+14155552671;ext=5', ': leave out the extension'],
  ['+14155552671,5', ': leave out the extension'],
  ['020 7183 8750', ': begin with + and the code of the country, such as +44…'],
  ['+380981111111++++', ''],
  ['+44', ''],
])('the phone number %j is refused, and says what to write', (value, hint) => {
  expect(matchesFormat('phone', value)).toBe(false)
  expect(formatRefusal('phone', value)).toBe(
    `value is not a valid phone number in international (E.164) form${hint}`,
  )
})

test('a currency is stored in upper case', () => {
  expect(normalizeCurrency('usd')).toBe('USD')
})

test.each([
  ['HTTPS://Shop.Example.COM/Path', 'https://shop.example.com/Path'],
  ['https://a.test/p?utm_source=x&size=M&utm_campaign=y#reviews', 'https://a.test/p?size=M'],
  ['https://a.test/p?UTM_Source=x', 'https://a.test/p'],
  ['https://a.test/p?b=2&a=1+2&c=%20', 'https://a.test/p?b=2&a=1+2&c=%20'],
  ['https://a.test/p?', 'https://a.test/p'],
  ['https://a.test:443', 'https://a.test/'],
  ['https://a.test/p?not_utm_source=1', 'https://a.test/p?not_utm_source=1'],
])('%s and %s are one product link', (given, normal) => {
  expect(normalizeUrl(given)).toBe(normal)
  expect(normalizeUrl(normal)).toBe(normal)
})

test.each([
  ['https://www.Shop.test/tea/?utm_source=x&size=M&gclid=1#top', 'https://shop.test/tea?size=M'],
  ['https://shop.test/', 'https://shop.test'],
  ['https://shop.test', 'https://shop.test'],
  ['https://shop.test/?ref=me', 'https://shop.test'],
  ['https://shop.test/tea//', 'https://shop.test/tea'],
  ['https://shop.test/tea?FBCLID=1&msclkid=2&srsltid=3&color=red&ref', 'https://shop.test/tea?color=red'],
  ['https://shop.test/tea?reference=1&gclid2=2', 'https://shop.test/tea?reference=1&gclid2=2'],
  ['https://shop.test/tea?b=2&a=1', 'https://shop.test/tea?b=2&a=1'],
  ['https://shop.test/tea?to=/a?ref=b', 'https://shop.test/tea?to=/a?ref=b'],
  ['https://www.test/tea', 'https://www.test/tea'],
  ['https://www2.shop.test/tea', 'https://www2.shop.test/tea'],
  ['https://www.shop.test:8443/Tea', 'https://shop.test:8443/Tea'],
])('%s leads to %s', (given, page) => {
  expect(comparableUrl(given)).toBe(page)
  expect(comparableUrl(page)).toBe(page)
})

test('a link that is accepted without being parsed is one that the parser would have accepted', () => {
  const text = fc.string({ unit: fc.constantFrom(...'abxn019-.-/?=&:@_~%XZ'), maxLength: 40 })
  const named = fc.stringMatching(
    /^[a-z0-9-]{1,6}(?:\.[a-z0-9-]{1,6}){0,3}(?:\/[\w.~/-]{0,8}(?:\?[\w.~/=&-]{0,8})?)?$/,
  )
  fc.assert(
    fc.property(fc.oneof(text, named), (rest) => {
      const value = `https://${rest}`
      if (!matchesFormat('https-url', value)) return
      const url = new URL(value)
      expect([url.protocol, url.username, url.hostname.endsWith('.')]).toEqual(['https:', '', false])
    }),
    { numRuns: 5000 },
  )
})
