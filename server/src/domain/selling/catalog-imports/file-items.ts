import { compileSchema } from '../../../schema/validation.ts'
import { ItemImport } from '../catalog/public.ts'
import { readCsvItems } from './csv-items.ts'
import type { FileReader, WrittenItem } from './file-row.ts'
import type { Cursor, ImportFormat } from './import.ts'
import { type JsonRow, readJsonLines } from './json-lines.ts'

export type FileItem = Omit<WrittenItem, 'value'> & { readonly input: ItemImport | null }

const schema = compileSchema(ItemImport, 'body')

/** The items of a file, from the cursor on, by the same rules as single items. */
export function readFileItems(format: ImportFormat, cursor: Cursor): FileReader<FileItem> {
  const reader = format === 'csv' ? readCsvItems(cursor) : readJsonItems(cursor)
  function* checked(items: Iterable<WrittenItem>): Generator<FileItem> {
    for (const item of items) yield checkedItem(item)
  }
  return { push: (bytes) => checked(reader.push(bytes)), end: () => checked(reader.end()) }
}

function checkedItem({ value, ...item }: WrittenItem): FileItem {
  if (item.faults.length > 0) return { ...item, input: null }
  const read = schema.read(value)
  if (schema.check(read)) return { ...item, input: read }
  const faults = schema
    .errors(read)
    .map(({ type, msg, loc }) => ({ ...item.placed(loc.slice(1)), type, msg }))
  return { ...item, input: null, faults }
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
