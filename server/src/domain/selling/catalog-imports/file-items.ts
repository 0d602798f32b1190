import { compileSchema } from '../../../schema/validation.ts'
import { ItemImport } from '../catalog/public.ts'
import { readCsvItems } from './csv-items.ts'
import { type FileReader, FileUnreadable, type WrittenItem } from './file-row.ts'
import type { Cursor, ImportFormat } from './import.ts'
import { type JsonRow, readJsonLines } from './json-lines.ts'

export type FileItem = Omit<WrittenItem, 'value'> & { readonly input: ItemImport | null }

const schema = compileSchema(ItemImport, 'body')

/** The items of a file, from the cursor on, by the same rules as single items. */
export function readFileItems(format: ImportFormat, cursor: Cursor): FileReader<FileItem> {
  const reader = inUtf8(format === 'csv' ? readCsvItems(cursor) : readJsonItems(cursor), cursor)
  function* checked(items: Iterable<WrittenItem>): Generator<FileItem> {
    for (const item of items) yield checkedItem(item)
  }
  return { push: (bytes) => checked(reader.push(bytes)), end: () => checked(reader.end()) }
}

function checkedItem({ value, ...item }: WrittenItem): FileItem {
  if (item.faults.length > 0) return { ...item, input: null }
  const read = schema.read(value)
  if (schema.check(read)) {
    const damaged = damagedBarcodes(read).map((index) => ({
      ...item.placed(['variants', index, 'barcode']),
      type: 'value_error',
      msg: 'Value error, a spreadsheet has rounded the barcode: set the format of its column to text, and write it again',
    }))
    return damaged.length === 0 ? { ...item, input: read } : { ...item, input: null, faults: damaged }
  }
  const faults = schema
    .errors(read)
    .map(({ type, msg, loc }) => ({ ...item.placed(loc.slice(1)), type, msg }))
  return { ...item, input: null, faults }
}

/** The variants whose barcode is written as 5.01235E+12: its last digits are lost. */
function damagedBarcodes({ variants }: ItemImport): number[] {
  return (variants ?? []).flatMap(({ barcode }, index) =>
    /^\d(?:[.,]\d+)?E\+\d+$/i.test(barcode ?? '') ? [index] : [],
  )
}

/** A file of another encoding is refused once, and not line by line. */
function inUtf8<Row>(reader: FileReader<Row>, { bytes }: Cursor): FileReader<Row> {
  let head = Buffer.alloc(0)
  return {
    *push(part) {
      if (bytes === 0 && head.length < 2) head = Buffer.concat([head, part.subarray(0, 2)]).subarray(0, 2)
      if (isUtf16(head))
        throw new FileUnreadable('The file is in UTF-16. Save it as UTF-8, and import that file.')
      yield* reader.push(part)
    },
    end: () => reader.end(),
  }
}

/** By its byte order mark, or by the zero beside its first letter. */
function isUtf16([first, second]: Buffer): boolean {
  if (first === undefined || second === undefined) return false
  return (
    (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || first === 0 || second === 0
  )
}

function readJsonItems(cursor: Cursor): FileReader<WrittenItem> {
  const reader = readJsonLines(cursor)
  function* items(rows: Iterable<JsonRow>): Generator<WrittenItem> {
    for (const row of rows) {
      const { line } = row
      yield {
        line,
        end: { ...row.end, columns: null },
        value: 'value' in row ? row.value : null,
        faults: 'fault' in row ? [row.fault] : [],
        placed: (loc: readonly (string | number)[]) => ({ line, loc: [...loc] }),
      }
    }
  }
  return { push: (bytes) => items(reader.push(bytes)), end: () => items(reader.end()) }
}
