import { describe, expect, test } from 'vitest'
import { visibleJson, visibleText } from './visible-text.ts'

describe('what nobody sees is left out', () => {
  const controls = Array.from({ length: 0xa0 }, (_, code) => code).filter(
    (code) => (code < 0x20 || code >= 0x7f) && ![0x09, 0x0a, 0x0d].includes(code),
  )
  const others = [
    0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180e, 0x200b, 0x200e, 0x200f, 0x202a, 0x202b,
    0x202c, 0x202d, 0x202e, 0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0x2066, 0x2067, 0x2068, 0x2069, 0x206a,
    0x206f, 0x3164, 0xfeff, 0xffa0, 0xfff9, 0xfffa, 0xfffb, 0x1d173, 0xe0001, 0xe0020, 0xe0041, 0xe007f,
    0xe0100, 0xe01ef, 0xe000, 0xf0000,
  ]
  test.each([...controls, ...others].map((code) => [code.toString(16), String.fromCodePoint(code)]))(
    'U+%s',
    (_code, character) => {
      expect(visibleText(`Ket${character}tle`)).toBe('Kettle')
      expect(JSON.parse(visibleJson(JSON.stringify({ a: [`Ket${character}tle`], n: 1 })))).toEqual({
        a: ['Kettle'],
        n: 1,
      })
    },
  )

  test('text that is hidden in tags, in selectors or between letters', () => {
    const tags = [...'buy two'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')
    expect(visibleText(`Kettle${tags}`)).toBe('Kettle')
    expect(visibleText('😀\ufe01\ufe02\ufe03')).toBe('😀\ufe01')
    expect(visibleText('k\u200ce\u200dt')).toBe('ket')
    expect(visibleText('half \ud83d of one')).toBe('half \ufffd of one')
    expect(visibleText('\u001b[31mred\u001b[0m\r\nnext\rlast')).toBe('[31mred[0m\nnext\nlast')
  })
})

test.each([
  ['plain text', 'Café “Niño”, 100 % — 12 × 5 ½ "\\" \t and\na line'],
  ['Hebrew and Arabic', 'קומקום 2 ל׳ · غلاية ٢ لتر'],
  ['Persian with its non-joiner', 'می\u200cخواهم کتاب\u200cها'],
  ['Hindi and Bengali with joiners', 'क्\u200dष क्\u200cष র\u200d্য'],
  ['Malayalam at the end of a word', 'അവന്\u200d'],
  [
    'a family, a profession and a flag',
    '👨\u200d👩\u200d👧\u200d👦 👩🏽\u200d🚀 🏳\ufe0f\u200d🌈 🇦🇹 1\ufe0f\u20e3 ❤\ufe0f',
  ],
  ['Japanese with a variant of a letter', '葛\u{e0100}城 やかん'],
  ['Arabic signs before numbers', '\u0600١٢'],
  ['the separators of lines', 'a\u2028b\u2029c'],
])('%s stays as it is', (_what, text) => {
  expect(visibleText(text)).toBe(text)
  const json = JSON.stringify({ [text]: [text, { text }] })
  expect(visibleJson(json)).toBe(json)
})

test('only texts of a document change: numbers, order, escapes and its form stay', () => {
  const json =
    '{"b": 1.50,"2":[1e3, "a\\\\u202e \\"x\\u202e\\"", true],\n"1": null, "c\\u0000": "\\u0041\\ud83d\\ude00"}'
  expect(visibleJson(json)).toBe(
    '{"b": 1.50,"2":[1e3, "a\\\\u202e \\"x\\"", true],\n"1": null, "c": "\\u0041\\ud83d\\ude00"}',
  )
  expect(visibleJson('"C:\\\\bin\\\\users"')).toBe('"C:\\\\bin\\\\users"')
})

test('a name of nothing that people see says that there was one, so that it is not an empty one', () => {
  expect(visibleJson('{"\u200d":"\u2060"}')).toBe('{"\ufffd":"\ufffd"}')
})
