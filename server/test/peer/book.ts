import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { BookSource, ParcelField } from './plan.ts'

/** One order of a shop's book, in the words of the book. */
export type BookOrder = {
  readonly number: string
  /** As the book writes it, in major units. */
  readonly total: string
  /** Null where the book has no such column. */
  readonly currency: string | null
  readonly status: string | null
  /** Of the columns that the book has. */
  readonly parcel: Readonly<Partial<Record<ParcelField, string>>>
  readonly lines: readonly BookLine[]
}

type BookLine = {
  readonly goods: string
  readonly quantity: string
  /** Null where the book has no such column. */
  readonly options: string | null
}

/** A book that cannot be read says nothing of what was bought. */
export class UnreadableBook extends Error {}

type Shape = Pick<BookSource, 'columns' | 'lines'> & { readonly rows?: string }
type Row = Readonly<Record<string, unknown>>

const bytesMax = 64 * 1_048_576
const timeoutMs = 30_000

/** Reads the whole book as it stands. Commands run in `folder`, that of the plan. */
export async function readBook(source: BookSource, folder: string): Promise<BookOrder[]> {
  return ordersOf(
    'url' in source ? await answerAt(source.url) : await outputOf(source.command, folder),
    source,
  )
}

async function outputOf([program = '', ...args]: readonly string[], cwd: string): Promise<string> {
  try {
    const options = { cwd, maxBuffer: bytesMax, timeout: timeoutMs }
    return (await promisify(execFile)(program, args, options)).stdout
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    throw new UnreadableBook(`${program} does not read the book: ${said || String(error)}`)
  }
}

async function answerAt(url: string): Promise<string> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
    if (!answer.ok) throw new Error(`status ${answer.status}`)
    return await answer.text()
  } catch (error) {
    throw new UnreadableBook(`${url} does not answer with the book: ${String(error)}`)
  }
}

/** The orders of a text: JSON, or a table with a line of names, as `mysql --batch` and `psql --csv` write it. */
export function ordersOf(text: string, shape: Shape): BookOrder[] {
  const rows = rowsOf(text, shape).flatMap((row) => linesOf(row, shape))
  const column = (row: Row, name: string) => cellOf(row, shape.columns?.[name] ?? name)
  const [first] = rows
  for (const name of needed)
    if (first !== undefined && column(first, name) === null)
      throw new UnreadableBook(
        `The book has no column "${shape.columns?.[name] ?? name}". It has: ${Object.keys(first).join(', ')}.`,
      )
  return [...Map.groupBy(rows, (row) => column(row, 'order') ?? '')].map(
    ([number, [row = {}, ...others]]) => ({
      number,
      total: column(row, 'total') ?? '',
      currency: column(row, 'currency'),
      status: column(row, 'status'),
      parcel: Object.fromEntries(
        parcelFields.flatMap((name) => {
          const value = column(row, name)
          return value === null ? [] : [[name, value]]
        }),
      ),
      lines: [row, ...others].map((line) => ({
        goods: column(line, 'goods') ?? '',
        quantity: column(line, 'quantity') ?? '',
        options: column(line, 'options'),
      })),
    }),
  )
}

const parcelFields = [
  'name',
  'street',
  'number',
  'line2',
  'postal_code',
  'city',
  'state',
  'country',
  'phone',
  'email',
] as const satisfies readonly ParcelField[]

/** A parcel is not judged without these. */
const needed = ['order', 'total', 'goods', 'quantity', 'name', 'street', 'postal_code', 'city', 'country']

function rowsOf(text: string, { rows }: Shape): Row[] {
  const start = text.trimStart()
  if (start === '') return []
  if (!/^[[{]/u.test(start)) return tableOf(text)
  const all = rows === undefined ? parse(start) : at(parse(start), rows)
  if (Array.isArray(all) && all.every(isRow)) return all
  throw new UnreadableBook(
    rows === undefined
      ? 'The book is no list of rows. Name where they are with "rows".'
      : `The book has no list of rows at "${rows}".`,
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UnreadableBook(`The book is not JSON: ${String(error)}`)
  }
}

/** An order that has its lines in a list is as many rows. */
function linesOf(row: Row, { lines }: Shape): Row[] {
  if (lines === undefined) return [row]
  const all = at(row, lines)
  if (!Array.isArray(all) || !all.every(isRow))
    throw new UnreadableBook(`An order has no list of lines at "${lines}".`)
  return all.map((line) => ({ ...row, ...line }))
}

/** Null: there is no such column. What is empty there is an empty text. */
function cellOf(row: Row, path: string): string | null {
  const value = Object.hasOwn(row, path) ? row[path] : at(row, path)
  if (value === undefined) return null
  return value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value).trim()
}

/** `billing.city` */
function at(value: unknown, path: string): unknown {
  return path.split('.').reduce((inner, name) => (isRow(inner) ? inner[name] : undefined), value)
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function tableOf(text: string): Row[] {
  const isTabbed = (text.split('\n')[0] ?? '').includes('\t')
  const [names = [], ...records] = isTabbed ? tabbed(text) : commaSeparated(text)
  return records.map((cells) => {
    if (cells.length !== names.length)
      throw new UnreadableBook(
        `A row of the book has ${cells.length} cells, and there are ${names.length} columns: ${cells.join(' | ')}`,
      )
    return Object.fromEntries(names.map((name, index) => [name, cells[index]]))
  })
}

/** `mysql --batch` writes what would break a cell with a backslash, and a null as NULL. */
function tabbed(text: string): (string | null)[][] {
  const plain = (cell: string) =>
    cell === 'NULL' ? '' : cell.replace(/\\([ntr0\\])/gu, (_, mark: string) => escapes[mark] ?? mark)
  return text
    .split(/\r?\n/u)
    .filter((line) => line !== '')
    .map((line) => line.split('\t').map(plain))
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', 0: '', '\\': '\\' }

/** RFC 4180. */
function commaSeparated(text: string): string[][] {
  const records: string[][] = [[]]
  for (const [, mark, quoted, bare] of text.matchAll(/(^|,|\r?\n)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/gu)) {
    if (mark !== '' && mark !== ',') records.push([])
    records.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare ?? '')
  }
  return records.filter((cells) => cells.length > 1 || cells[0] !== '')
}
