import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computingMs } from '../../test/gate/pace.ts'
import { type JsonValue, parseJson } from './strict-json.ts'

function parse(text: string) {
  return parseJson(Buffer.from(text))
}

function refusalOf(bytes: Uint8Array | string): [number, string] {
  const parsed = parseJson(Buffer.from(bytes))
  if (parsed.ok) throw new Error('was accepted')
  expect(parsed.error.type).toBe('json_invalid')
  return [parsed.error.loc[1], parsed.error.msg]
}

function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth)
}

test.each<[string, number, string]>([
  ['', 0, 'empty document'],
  [' \n', 2, 'empty document'],
  ['\ufeff{}', 0, 'byte order mark before the document'],
  ['{} x', 3, 'trailing characters'],
  ['{}{}', 2, 'trailing characters'],
  ['{"a":1,"a":2}', 7, 'duplicate key'],
  ['{"a":1,"\\u0061":2}', 7, 'duplicate key'],
  ['{"\\u00e9":1,"é":2}', 12, 'duplicate key'],
  ['[[{"b":{"a":1,"c":[],"a":2}}]]', 21, 'duplicate key'],
  ['{"__proto__":{}}', 1, 'key is not allowed'],
  ['{"a":{"\\u005f_proto__":{}}}', 6, 'key is not allowed'],
  ['{"constructor":1}', 1, 'key is not allowed'],
  ['[{"prototype":1}]', 2, 'key is not allowed'],
  ['9007199254740992', 0, 'number out of range'],
  ['-9007199254740992', 0, 'number out of range'],
  ['[1,9007199254740993]', 3, 'number out of range'],
  ['1e400', 0, 'number out of range'],
  ['1e16', 0, 'number out of range'],
  ['90071992547409920.5', 0, 'number out of range'],
  [nested(33), 32, 'nesting deeper than 32'],
  ['{"a":'.repeat(33), 160, 'nesting deeper than 32'],
  ['"\\u0000"', 1, 'NUL character in a string'],
  ['"\\ud800"', 1, 'lone surrogate in a string'],
  ['"\\ud800\\u0041"', 1, 'lone surrogate in a string'],
  ['"x\\udc00"', 2, 'lone surrogate in a string'],
  ['"\\udc00\\ud800"', 1, 'lone surrogate in a string'],
  ['"a\nb"', 2, 'control character in a string'],
  ['"a\u0000"', 2, 'control character in a string'],
  ['"abc', 0, 'unterminated string'],
  ['"\\x"', 1, 'invalid escape'],
  ['"\\u12g4"', 1, 'invalid escape'],
  ['[1,]', 3, 'expected a value'],
  ['{"a":1,}', 7, 'expected a key in double quotes'],
  ["{'a':1}", 1, 'expected a key in double quotes'],
  ['{"a" 1}', 5, 'expected a colon'],
  ['{"a":1 "b":2}', 7, 'expected a comma or the end of the object'],
  ['[1 2]', 3, 'expected a comma or the end of the list'],
  ['01', 0, 'leading zero in a number'],
  ['1.', 0, 'invalid number'],
  ['1e+', 0, 'invalid number'],
  ['-', 0, 'expected a value'],
  ['.5', 0, 'expected a value'],
  ['NaN', 0, 'expected a value'],
  ['tru', 0, 'expected a value'],
  ['{"é":x}', 5, 'expected a value'],
])('%j is refused at character %i: %s', (text, at, reason) => {
  expect(refusalOf(text)).toEqual([at, `Invalid JSON: ${reason}`])
})

test.each([
  ['a stray continuation byte', [0x22, 0x80, 0x22], 1],
  ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22], 1],
  ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22], 1],
  ['a cut-off sequence', [0x22, 0xc3, 0xa9, 0xe2, 0x82], 2],
])('invalid UTF-8 is refused where it begins: %s', (_, bytes, at) => {
  expect(refusalOf(Uint8Array.from(bytes))).toEqual([at, 'Invalid JSON: invalid UTF-8'])
})

test.each([
  ['9007199254740991'],
  ['-9007199254740991'],
  ['1e3'],
  ['0.1'],
  ['1E-7'],
  ['123456789012345.678'],
  ['"\\ud83d\\ude00 😀 \\u00e9 é \\/"'],
  ['{"a":{"a":1},"b":[{"a":2},{"a":3}]}'],
  ['{"proto":1,"Constructor":2,"":3}'],
  [' [ true , false , null ] \r\n\t'],
  [nested(32)],
])('%s is accepted and read as JSON.parse reads it', (text) => {
  expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) })
})

test('duplicates are found among any number of keys, however the keys are written', () => {
  for (const count of [2, 15, 16, 17, 18, 40, 1000]) {
    const members = Array.from({ length: count }, (_, i) => `"k${i}":{"k":${i}}`)
    expect(parse(`{${members.join()}}`).ok).toBe(true)
    for (const again of [0, Math.floor(count / 2), count - 1]) {
      const [, msg] = refusalOf(`{${members.join()},"\\u006b${again}":0}`)
      expect(msg).toBe('Invalid JSON: duplicate key')
    }
    expect(refusalOf(`{${members.join()},"__proto__":0}`)[1]).toBe('Invalid JSON: key is not allowed')
  }
})

test('keys whose hashes collide are still two keys', () => {
  expect(parse('{"Aa":1,"BB":2}')).toEqual({ ok: true, value: { Aa: 1, BB: 2 } })
})

test('a body of one huge object is scanned in time that grows with its size', () => {
  const members = Array.from({ length: 100_000 }, (_, i) => `"${i}":0`)
  const text = `{${members.join()}}`
  expect(computingMs(() => expect(parse(text).ok).toBe(true))).toBeLessThan(2_000)
})

test('a view into a larger buffer is read from its own first byte', () => {
  const bytes = Buffer.from('xx{"a":1}yy')
  expect(parseJson(bytes.subarray(2, 9))).toEqual({ ok: true, value: { a: 1 } })
  expect(parseJson(new Uint8Array(bytes.buffer, bytes.byteOffset + 2, 7))).toEqual({
    ok: true,
    value: { a: 1 },
  })
})

test('the message never repeats the text that was sent', () => {
  for (const text of [
    '{"secret1":1,"secret1":2}',
    '"secret1',
    '[secret1]',
    '{"a":9007199254740993999}',
    '"\\ud800secret1"',
  ]) {
    expect(JSON.stringify(refusalOf(text))).not.toMatch(/secret1|90071/)
  }
})

test('every plain JSON value comes through unchanged', () => {
  fc.assert(
    fc.property(
      fc.json({ maxDepth: 6, noUnicodeString: false }),
      fc.integer({ min: 0, max: 3 }),
      (text, indent) => {
        const value: JsonValue = JSON.parse(text)
        const pretty = JSON.stringify(value, null, indent)
        const parsed = parse(pretty)
        if (parsed.ok) expect(parsed.value).toEqual(JSON.parse(pretty))
        else expect(parsed.error.msg).toMatch(STRICTER)
      },
    ),
    { numRuns: 3000 },
  )
})

/** The only grounds on which a document may be refused that JSON.parse accepts. */
const STRICTER =
  /duplicate key|key is not allowed|out of range|nesting|lone surrogate|NUL|invalid UTF-8|byte order/

test('text that JSON.parse refuses is refused, and accepted text reads the same by JSON.parse', () => {
  const token = fc.constantFrom(
    ...[
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '"b"',
      '"\\u0061"',
      '"\\ud83d\\ude00"',
      '\\',
      '\\u',
      'd800',
      '0',
      '1',
      '-',
    ],
    ...[
      '.',
      'e',
      '+',
      '12',
      '9007199254740993',
      'true',
      'null',
      'fals',
      ' ',
      '\n',
      '\u0001',
      '\u00a0',
      'é',
      '{"a":',
      '[1,',
      '":',
    ],
  )
  const texts = fc.oneof(
    fc.array(token, { maxLength: 14 }).map((tokens) => tokens.join('')),
    mutatedJson(),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const lenient = leniently(text)
      const parsed = parse(text)
      if (parsed.ok) expect(lenient).toEqual({ value: parsed.value })
      else if (lenient !== undefined) expect(parsed.error.msg).toMatch(STRICTER)
    }),
    { numRuns: 20_000 },
  )
})

function mutatedJson(): fc.Arbitrary<string> {
  const edit = fc.tuple(
    fc.nat(),
    fc.nat({ max: 2 }),
    fc.constantFrom('', '"', ',', '}', ']', '\\', '0', ' ', '\u0000', ':'),
  )
  return fc.tuple(fc.json(), edit).map(([text, [at, drop, put]]) => {
    const index = at % (text.length + 1)
    return text.slice(0, index) + put + text.slice(index + drop)
  })
}

function leniently(text: string): { value: JsonValue } | undefined {
  try {
    return { value: JSON.parse(Buffer.from(text).toString()) }
  } catch {
    return undefined
  }
}
