import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rowBytesMax } from './file-row.ts'
import { type JsonRow, readJsonLines } from './json-lines.ts'

function read(text: string | Buffer, length = Number.MAX_SAFE_INTEGER): JsonRow[] {
  const bytes = Buffer.from(text)
  const reader = readJsonLines({ bytes: 0, lines: 0 })
  const rows: JsonRow[] = []
  for (let at = 0; at < bytes.length; at += length) rows.push(...reader.push(bytes.subarray(at, at + length)))
  return [...rows, ...reader.end()]
}

const values = (rows: readonly JsonRow[]) => rows.map((row) => ('fault' in row ? row.fault.type : row.value))

test('one document a line, with a byte order mark, both ends of line, blank lines and no last newline', () => {
  for (const length of [1, 3, 1000]) {
    const rows = read('\uFEFF{"a":1}\r\n\n  \n{"é":"☕"}', length)
    expect(values(rows)).toEqual([{ a: 1 }, { é: '☕' }])
    expect(rows.map(({ line }) => line)).toEqual([1, 4])
    expect(rows.at(-1)?.end).toEqual({ bytes: 28, lines: 4 })
  }
})

test.each([
  ['is cut short', '{"a":\n{}\n', 'json_invalid'],
  ['says a key twice', '{"a":1,"a":2}\n{}\n', 'json_invalid'],
  ['holds NUL', '{"a":"\\u0000"}\n{}\n', 'json_invalid'],
  ['is too long', `{"a":"${'x'.repeat(rowBytesMax)}"}\n{}\n`, 'value_error'],
])('a line that %s is a fault of its own and loses no other', (_, text, type) => {
  for (const length of [text.length > 1000 ? 50_021 : 1, 65_536, Number.MAX_SAFE_INTEGER])
    expect(values(read(text, length))).toEqual([type, {}])
})

test('lines are read the same in pieces of any size, and reading goes on from any of them', () => {
  const file = fc
    .array(fc.constantFrom('{}', '{"a":"é"}', '', '[', ' ', '\r'), { maxLength: 20 })
    .map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(file, fc.integer({ min: 1, max: 9 }), (text, length) => {
      const whole = read(text)
      expect(read(text, length)).toEqual(whole)
      for (const [index, { end }] of whole.entries()) {
        const reader = readJsonLines(end)
        const rest = [...reader.push(Buffer.from(text).subarray(end.bytes)), ...reader.end()]
        expect(rest).toEqual(whole.slice(index + 1))
      }
    }),
    { numRuns: 500 },
  )
})
