import { CsvError, parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CsvRecord, readCsvRecords } from './csv-records.ts'
import { rowBytesMax } from './file-row.ts'

/** The records of a file that comes in pieces of these lengths, over and over. */
function read(text: string | Buffer, lengths: readonly number[] = [Number.MAX_SAFE_INTEGER]): CsvRecord[] {
  const bytes = Buffer.from(text)
  const reader = readCsvRecords({ bytes: 0, lines: 0 })
  const records: CsvRecord[] = []
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1
    records.push(...reader.push(bytes.subarray(at, at + length)))
    at += length
  }
  return [...records, ...reader.end()]
}

const cells = (records: readonly CsvRecord[]) =>
  records.map((record) => (record.fault ? 'broken' : record.cells))

test('cells are read with and without quotes, over lines, and with both ends of line', () => {
  expect(cells(read('a,b,c\r\n1,"2,""x""\n3",\n\n"é",,"4"\r\n5'))).toEqual([
    ['a', 'b', 'c'],
    ['1', '2,"x"\n3', ''],
    ['é', '', '4'],
    ['5'],
  ])
})

test('a record says where it begins and where the next one does', () => {
  expect(read('\uFEFF"a",b\n"1\n2",3\n4,5').map(({ line, end, cells }) => ({ line, end, cells }))).toEqual([
    { line: 1, end: { bytes: 9, lines: 1 }, cells: ['a', 'b'] },
    { line: 2, end: { bytes: 17, lines: 3 }, cells: ['1\n2', '3'] },
    { line: 4, end: { bytes: 20, lines: 4 }, cells: ['4', '5'] },
  ])
})

test.each([
  ['a quote inside a plain cell', 'a,b"c\n1,2\n'],
  ['text behind the end of a quoted cell', '"a"b,c\n1,2\n'],
  ['a quote that is never closed', '"a,b\n1,2\n'],
  ['bytes that are no UTF-8', Buffer.concat([Buffer.from([0xff, 0x2c, 0x0a]), Buffer.from('1,2\n')])],
  ['the NUL character', 'a\0,b\n1,2\n'],
  ['more than a row may hold', `${'x'.repeat(rowBytesMax + 10)}\n1,2\n`],
  ['an open quote and more than a row may hold', `"x\n${'1,2\n'.repeat(rowBytesMax / 4 + 10)}`],
])('%s breaks its line and no other', (_, text) => {
  for (const lengths of [[Number.MAX_SAFE_INTEGER], [text.length > 1000 ? 50_021 : 1], [65_536]]) {
    const [first, ...others] = cells(read(text, lengths))
    expect(first).toBe('broken')
    expect(others.length).toBeGreaterThan(0)
    for (const other of others) expect(other).toEqual(['1', '2'])
  }
})

const cell = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', '\n', '\r\n', ' ', '☕'), maxLength: 8 })
const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 12 })
const written = (rows: readonly string[][], end: string) =>
  rows.map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(',')).join(end)

test('every file that is written by RFC 4180 is read as it was, in pieces of any size', () => {
  fc.assert(
    fc.property(
      table,
      fc.constantFrom('\n', '\r\n'),
      fc.array(
        fc.nat(9).map((n) => n + 1),
        { minLength: 1 },
      ),
      (rows, end, lengths) => {
        expect(cells(read(written(rows, end), lengths))).toEqual(rows)
      },
    ),
    { numRuns: 500 },
  )
})

test('any bytes are read the same in one piece and in many, and reading goes on from any record', () => {
  const bytes = fc
    .array(fc.constantFrom('a', '"', ',', '\n', '\r\n', 'é', '\0'), { maxLength: 60 })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(
      bytes,
      fc.array(
        fc.nat(5).map((n) => n + 1),
        { minLength: 1 },
      ),
      (text, lengths) => {
        const whole = read(text)
        expect(read(text, lengths)).toEqual(whole)
        for (const [index, { end }] of whole.entries()) {
          const reader = readCsvRecords(end)
          const rest = [...reader.push(Buffer.from(text).subarray(end.bytes)), ...reader.end()]
          expect(rest).toEqual(whole.slice(index + 1))
        }
      },
    ),
    { numRuns: 1000 },
  )
})

/** What the reader of another house finds: its records with their ends, up to the first that it cannot read. */
function readByPackage(text: string): { records: { cells: string[]; bytes: number }[]; isWhole: boolean } {
  const records: { cells: string[]; bytes: number }[] = []
  try {
    parse(text, {
      bom: true,
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      skip_empty_lines: true,
      on_record(cells: string[], { bytes }) {
        records.push({ cells, bytes })
        return null
      },
    })
    return { records, isWhole: true }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return { records, isWhole: false }
  }
}

test('csv-parse reads the same records at the same places, and stops where a record is broken here', () => {
  // Without carriage returns in the middle of a line and at the end of the file, where RFC 4180 says nothing.
  const part = fc.constantFrom('a', 'é', '☕', ' ', '"', '""', ',', ',"', '",', '\n', '\r\n', '"\n', '"\r\n')
  const text = fc
    .tuple(fc.constantFrom('', '\uFEFF'), fc.array(part, { maxLength: 40 }))
    .map(([mark, parts]) => mark + parts.join(''))
  const seen = { whole: 0, broken: 0 }
  fc.assert(
    fc.property(text, (file) => {
      const theirs = readByPackage(file)
      const ours = read(file)
      const first = ours.findIndex((record) => record.fault !== null)
      const good = first === -1 ? ours : ours.slice(0, first)
      expect(good.map(({ cells, end }) => ({ cells, bytes: end.bytes }))).toEqual(theirs.records)
      expect(first === -1).toBe(theirs.isWhole)
      seen[theirs.isWhole ? 'whole' : 'broken'] += 1
    }),
    { numRuns: 3000 },
  )
  expect(Math.min(seen.whole, seen.broken)).toBeGreaterThan(300)
})
