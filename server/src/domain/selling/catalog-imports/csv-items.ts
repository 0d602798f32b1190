import { parseJson } from '../../../schema/strict-json.ts'
import { columnsFault, csvOptionsMax, itemColumns, mediaFields, variantFields } from './csv-columns.ts'
import { withoutGuard } from './csv-formulas.ts'
import { type CsvRecord, readCsvRecords } from './csv-records.ts'
import { type FileReader, FileUnreadable, fault, type RowFault, type WrittenItem } from './file-row.ts'
import type { Cursor } from './import.ts'

/** One line of the file, with its cells by column. */
type Line = { readonly line: number; cell(column: string): string | undefined }
type Loc = readonly (string | number)[]

/** The lines of one item. */
type Group = {
  readonly key: string
  readonly line: number
  readonly lines: Line[]
  readonly faults: RowFault[]
  end: Cursor
}

/**
 * The items of a CSV file: each line has one variant, or one picture, and the lines of one handle belong together. A line that cannot be
 * read makes its whole item fail, since variants would be missing, but no other item.
 */
export function readCsvItems(cursor: Cursor): FileReader<WrittenItem> {
  const records = readCsvRecords(cursor)
  let columns = cursor.columns
  let group: Group | null = null

  function* itemsOf(read: Iterable<CsvRecord>): Generator<WrittenItem> {
    for (const record of read) {
      if (columns === null) {
        columns = headerOf(record)
        continue
      }
      const end = { ...record.end, columns }
      const { line, fault } = lineOf(record, columns)
      const key = keyOf(line)
      const isNext = key === '' ? fault === null : key !== group?.key
      if (isNext && group) yield itemOf(group)
      if (isNext || !group) group = { key, line: record.line, lines: [], faults: [], end }
      group.lines.push(line)
      if (fault) group.faults.push(fault)
      group.end = end
    }
  }

  return {
    push: (bytes) => itemsOf(records.push(bytes)),
    *end() {
      yield* itemsOf(records.end())
      if (group) yield itemOf(group)
      group = null
    },
  }
}

function headerOf(record: CsvRecord): string[] {
  const columns = record.cells.map((cell) => cell.trim())
  const wrong = record.fault ? unreadable(record.fault) : columnsFault(columns)
  if (wrong !== null) throw new FileUnreadable(wrong)
  return columns
}

/** With the reason: most often the file was saved in another encoding than UTF-8. */
function unreadable({ msg }: RowFault): string {
  return `The first line cannot be read: ${msg.replace(/^Value error, /, '')}.`
}

function lineOf(record: CsvRecord, columns: readonly string[]): { line: Line; fault: RowFault | null } {
  const { cells, line } = record
  const isWhole = cells.length === columns.length
  const counted = `the row has ${cells.length} cells, but the first line names ${columns.length} columns`
  const cell = (column: string) => {
    const index = columns.indexOf(column)
    return index === -1 ? undefined : withoutGuard(cells[index] ?? '')
  }
  return { line: { line, cell }, fault: record.fault ?? (isWhole ? null : fault(line, counted)) }
}

function keyOf({ cell }: Line): string {
  const handle = cell('handle') ?? ''
  if (handle !== '') return `handle ${handle}`
  const id = cell('id') ?? ''
  return id === '' ? '' : `id ${id}`
}

function itemOf({ line, lines, faults, end }: Group): WrittenItem {
  const variantLines = lines.filter(hasVariant)
  const mediaLines = lines.filter((each) => each.cell('media_url'))
  const placed = (loc: Loc) => {
    const [field = '', index, inner] = loc
    const owner =
      field === 'variants'
        ? variantLines[Number(index)]
        : field === 'media'
          ? mediaLines[Number(index)]
          : undefined
    if (!owner) return { line, loc: [...loc] }
    return {
      line: owner.line,
      loc: inner === undefined ? [] : [`${field === 'variants' ? 'variant' : 'media'}_${inner}`],
    }
  }
  const value = faults.length > 0 ? null : fieldsOf(lines, variantLines, mediaLines)
  return { line, end, value, faults, placed }
}

function fieldsOf(
  lines: readonly Line[],
  variantLines: readonly Line[],
  mediaLines: readonly Line[],
): Record<string, unknown> {
  const [first] = lines
  const value: Record<string, unknown> = {}
  for (const column of itemColumns) {
    if (column !== 'options') put(value, column, first?.cell(column), readers[column])
  }
  const names = optionNames(lines)
  const options = first?.cell('options')
  if (options) value.options = jsonOf(options)
  else if (options !== undefined || first?.cell('option1_name') !== undefined)
    value.options = chosenOptions(variantLines, names)
  if (first && variantColumns.some((column) => first.cell(column) !== undefined))
    value.variants = variantLines.map((line) => variantOf(line, names))
  if (first && first.cell('media_url') !== undefined)
    value.media = mediaLines.map((line) => {
      const media: Record<string, unknown> = {}
      for (const field of mediaFields)
        put(media, field, line.cell(`media_${field}`), field === 'alt_text' ? orNull : orAbsent)
      return media
    })
  return value
}

const variantColumns = [...variantFields.map((field) => `variant_${field}`), ...numbered('value')]

function hasVariant({ cell }: Line): boolean {
  return variantColumns.some((column) => cell(column))
}

function variantOf({ cell }: Line, names: readonly string[]): Record<string, unknown> {
  const variant: Record<string, unknown> = {}
  for (const field of variantFields) {
    if (field !== 'options') put(variant, field, cell(`variant_${field}`), variantReaders[field])
  }
  const options = cell('variant_options')
  if (options) variant.options = jsonOf(options)
  else if (options !== undefined || cell('option1_value') !== undefined) {
    variant.options = numbered('value').flatMap((column, index) => {
      const value = cell(column)
      return value ? [{ name: names[index] ?? '', value }] : []
    })
  }
  return variant
}

/** The names of the options: each from the first line that has it. */
function optionNames(lines: readonly Line[]): string[] {
  return numbered('name').map((column) => lines.map(({ cell }) => cell(column)).find(Boolean) ?? '')
}

/** The options of an item, from the values that its variants choose. */
function chosenOptions(
  variantLines: readonly Line[],
  names: readonly string[],
): { name: string; values: string[] }[] {
  return numbered('value').flatMap((column, index) => {
    const values = [...new Set(variantLines.flatMap(({ cell }) => cell(column) || []))]
    return values.length > 0 ? [{ name: names[index] ?? '', values }] : []
  })
}

function numbered(part: 'name' | 'value'): string[] {
  return Array.from({ length: csvOptionsMax }, (_, index) => `option${index + 1}_${part}`)
}

type Reader = (cell: string) => unknown

/** An empty cell means null. */
const orNull: Reader = (cell) => (cell === '' ? null : cell)
/** An empty cell means that the field is left out. */
const orAbsent: Reader = (cell) => (cell === '' ? undefined : cell)
/** With the spaces, and for a count the decimals, of a spreadsheet. Text that is no number is refused by its field. */
const count: Reader = (cell) => numberIn(cell, /^\d{1,15}(?:\.\d{1,6})?$/)
/** As in JSON: 4900.0 is 4900, and what else has decimals may be in another unit than minor ones. */
const amount: Reader = (cell) => numberIn(cell, /^(?:\d{1,15}|\d{1,13}00\.0)$/)

function numberIn(cell: string, form: RegExp): unknown {
  const written = cell.trim()
  return form.test(written) ? Number(written) : orNull(written)
}

const readers: Readonly<Record<Exclude<(typeof itemColumns)[number], 'options'>, Reader>> = {
  id: orAbsent,
  handle: orNull,
  title: orNull,
  description: orNull,
  url: orNull,
  item_type: orAbsent,
  status: orAbsent,
  categories: listOf,
  required_inputs: (cell) => (cell === '' ? [] : jsonOf(cell)),
  metadata: (cell) => (cell === '' ? {} : jsonOf(cell)),
}

const variantReaders: Readonly<Record<Exclude<(typeof variantFields)[number], 'options'>, Reader>> = {
  id: orAbsent,
  sku: orNull,
  barcode: orNull,
  title: orNull,
  price: amount,
  currency: orNull,
  availability: orAbsent,
  quantity: count,
  weight_grams: count,
  fulfillment_label: orNull,
}

function put(target: Record<string, unknown>, name: string, cell: string | undefined, read: Reader): void {
  const value = cell === undefined ? undefined : read(cell)
  if (value !== undefined) target[name] = value
}

/** Separated by semicolons; a JSON list where a value contains a semicolon. */
function listOf(cell: string): unknown {
  if (cell.startsWith('[')) return jsonOf(cell)
  const parts = cell.split(';').map((part) => part.trim())
  return parts.filter((part) => part !== '')
}

/** Text that is not JSON stays text, which no field of this kind accepts. */
function jsonOf(cell: string): unknown {
  const parsed = parseJson(Buffer.from(cell))
  return parsed.ok ? parsed.value : cell
}
