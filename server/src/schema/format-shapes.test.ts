import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatShapes } from './format-shapes.ts'
import { formatRefusal, knownFormats, matchesFormat } from './formats.ts'

const shapes = [...formatShapes].map(([format, shape]) => ({ format, ...shape }))

test('every format has a shape, and no other', () => {
  expect([...formatShapes.keys()]).toEqual([...knownFormats].sort())
  for (const format of knownFormats) expect(formatRefusal(format)).not.toBe('value is not valid')
})

test.each(shapes)(
  '$format: its examples are of it, and the empty string is not by shape',
  ({ format, ...shape }) => {
    for (const example of shape.examples) {
      expect(matchesFormat(format, example), example).toBe(true)
      expect(fits(shape, example), example).toBe(true)
    }
    expect(fits(shape, '')).toBe(false)
  },
)

test.each(shapes)('$format: every value of it has its shape', ({ format, ...shape }) => {
  const near = fc
    .tuple(fc.constantFrom(...shape.examples, ...(odd[format] ?? [])), fc.nat(60), fc.nat(3), unit)
    .map(([text, at, drop, other]) => text.slice(0, at) + other + text.slice(at + drop))
  fc.assert(
    fc.property(near, (text) => {
      if (matchesFormat(format, text)) expect(fits(shape, text), JSON.stringify(text)).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

test('the patterns are read alike by ECMA-262, Rust and Python', () => {
  for (const { pattern } of shapes) {
    expect(() => new RegExp(pattern, 'u')).not.toThrow()
    // No looking around, no references back, no classes by letter, which are Unicode elsewhere.
    expect(pattern).not.toMatch(/\(\?[=!<]|\\[1-9dDwWsSbBkpP/]/)
  }
})

const odd: Readonly<Record<string, readonly string[]>> = {
  email: ['"a b"@example.com', 'a+b@sub.example.co', 'é@example.com'],
  phone: ['+49 (30) 901820', '+44 20 7946-0000', '+1.415.555.0132'],
  'date-time': ['2026-11-23T09:30:00.123456789+14:00'],
  'https-url': ['https://a', 'HTTPS://ÄÖ.example/?q=é#f', 'https://[::1]:8443/x'],
  'endpoint-url': ['http://127.0.0.1:4000/x', 'https://a'],
  domain: ['xn--bcher-kva.example', 'a.b2', 'A-1.example'],
  timezone: ['UTC', 'GB', 'Etc/GMT+1', 'EST5EDT', 'America/Argentina/ComodRivadavia'],
  locale: ['zh-Hant-TW', 'de-DE-u-co-phonebk', 'sl-rozaj-biske'],
}

const unit = fc.oneof(
  fc.constant(''),
  fc.string({ unit: 'grapheme', maxLength: 2 }),
  fc.constantFrom('\n', '.', '@', '/', ' ', '-', '#'),
)

function fits(shape: { pattern: string; minLength: number; maxLength: number }, text: string): boolean {
  const length = [...text].length
  return length >= shape.minLength && length <= shape.maxLength && new RegExp(shape.pattern, 'u').test(text)
}
